import CommandOutput
import FoundationEssentials
import Nearby

/// A line of an engine to a program: one JSON object.
///
///     {"event":"active","operation":"1"}
///     {"event":"found","operation":"2","id":"…","namespace":"","type":"place","text":"here","content":"…"}
///     {"event":"refused","operation":"1","reason":"…"}
enum EngineReply {
    /// The first line of a connection.
    static var hello: String {
        var object = JSONObject()
        object.add("event", "ready")
        object.add("version", productVersion)
        return object.description
    }

    /// - Parameter operation: `nil` if the request names none.
    static func refused(_ operation: String?, _ reason: String) -> String {
        var object = JSONObject()
        object.add("event", "refused")
        object.add("operation", operation)
        object.add("reason", reason)
        return object.description
    }

    static func status(_ operation: String, _ status: OperationStatus) -> String {
        let name =
            switch status {
            case .inactive: "inactive"
            case .starting: "starting"
            case .active: "active"
            case .expired: "expired"
            }
        return event(name, operation)
    }

    /// The last line about an operation.
    static func ended(_ operation: String) -> String { event("ended", operation) }

    private static func event(_ name: String, _ operation: String) -> String {
        var object = JSONObject()
        object.add("event", name)
        object.add("operation", operation)
        return object.description
    }

    /// `nil` if the event is not about a message.
    static func discovery(_ operation: String, _ event: SubscriptionEvent) -> String? {
        guard let (name, discovery) = DiscoveryLine.parts(event) else { return nil }
        let message = discovery.message
        var object = JSONObject()
        object.add("event", name)
        object.add("operation", operation)
        object.add("id", discovery.id.description)
        object.add("namespace", message.namespace)
        object.add("type", message.type)
        object.add("text", message.text)
        object.add("content", Data(message.content).base64EncodedString())
        return object.description
    }
}
