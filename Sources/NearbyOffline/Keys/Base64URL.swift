/// The coding of bytes as letters, digits, `-` and `_`, without padding. Reference: RFC 4648 § 5.
enum Base64URL {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var (text, bits, count) = ([UInt8](), 0, 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | Int(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(digits[bits >> count & 63])
            }
            bits &= (1 << count) - 1
        }
        if count > 0 { text.append(digits[bits << (6 - count)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text, or returns `nil` for anything that ``text(_:)`` does not write.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var (bytes, bits, count) = ([UInt8](), 0, 0)
        for digit in text.utf8 {
            guard let value = digits.firstIndex(of: digit) else { return nil }
            (bits, count) = (bits << 6 | value, count + 6)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(bits >> count))
            bits &= (1 << count) - 1
        }
        return count < 6 && bits == 0 ? bytes : nil
    }
}
