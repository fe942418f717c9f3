import CommandOutput
import Nearby
import SetTopBox

extension BoxMessage {
    /// One JSON object without a line break: `event`, `id`, `namespace`, `type`, `text` (null if the content
    /// is not text), and `content` in base64.
    package var json: String {
        var object = JSONObject()
        object.add("event", change.rawValue)
        object.add("id", id.description)
        object.add("namespace", message.namespace)
        object.add("type", message.type)
        object.add("text", String(validating: message.content, as: UTF8.self))
        object.add("content", Base64.text(message.content))
        return object.description
    }
}
