import CommandOutput
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

/// An encoder for base64. Reference: RFC 4648 §4.
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var letters: [UInt8] = []
        letters.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let three = (0..<3).map { start + $0 < bytes.count ? bytes[start + $0] : 0 }
            let bits = three.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            for n in 0..<4 {
                let isPadding = start + n > bytes.count
                letters.append(
                    isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> (18 - 6 * UInt32(n)) & 63)])
            }
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
