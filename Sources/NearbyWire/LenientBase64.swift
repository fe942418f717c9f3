import FoundationEssentials

/// A decoder of base64 in the forms that Google's JSON accepted: the standard or the URL-safe alphabet,
/// padded or not, with white space anywhere (RFC 4648 §4, §5). Answers always use the standard alphabet and
/// padding.
enum LenientBase64 {
    /// Decodes a text, or returns `nil` if it has none of these forms.
    static func decode(_ text: String) -> Data? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: break
            case UInt8(ascii: "-"): bytes.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): bytes.append(UInt8(ascii: "/"))
            default: bytes.append(byte)
            }
        }
        let pad = UInt8(ascii: "=")
        let count = bytes.firstIndex(of: pad) ?? bytes.count
        let missing = (4 - count % 4) % 4
        // Foundation accepts more padding than is allowed, and text after it.
        guard missing < 3, bytes[count...].allSatisfy({ $0 == pad }),
            [0, missing].contains(bytes.count - count)
        else { return nil }
        bytes += [UInt8](repeating: pad, count: count + missing - bytes.count)
        return Data(base64Encoded: Data(bytes))
    }
}
