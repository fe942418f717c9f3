/// The coding of bytes as letters, digits and two more characters. Reference: RFC 4648.
package enum Base64 {
    private static let standard = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let url = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// The place of each byte in the alphabet for URLs; −1 if it is no digit.
    private static let urlValues = {
        var values = [Int](repeating: -1, count: 256)
        for (value, digit) in url.enumerated() { values[Int(digit)] = value }
        return values
    }()

    /// Returns the text in the standard alphabet, with padding (§4).
    package static func text(_ bytes: [UInt8]) -> String {
        var text = encode(bytes, in: standard)
        while text.utf8.count % 4 != 0 { text += "=" }
        return text
    }

    /// Returns the text in the alphabet for URLs and file names, without padding (§5).
    package static func urlText(_ bytes: some Collection<UInt8>) -> String {
        encode(bytes, in: url)
    }

    private static func encode(_ bytes: some Collection<UInt8>, in digits: [UInt8]) -> String {
        let length = (8 * bytes.count + 5) / 6
        return String(unsafeUninitializedCapacity: length) { text in
            var (place, bits, count) = (0, 0, 0)
            for byte in bytes {
                (bits, count) = (bits << 8 | Int(byte), count + 8)
                while count >= 6 {
                    count -= 6
                    text[place] = digits[bits >> count & 63]
                    place += 1
                }
                bits &= (1 << count) - 1
            }
            if count > 0 { text[place] = digits[bits << (6 - count)] }
            return length
        }
    }

    /// Decodes a text, or returns `nil` for anything that ``urlText(_:)`` does not write.
    package static func bytes(ofURLText text: String) -> [UInt8]? {
        var text = text
        // To step through the text itself takes three times the instructions.
        return text.withUTF8 { text in
            var (bytes, bits, count) = ([UInt8](), 0, 0)
            bytes.reserveCapacity(text.count / 4 * 3 + 2)
            let values = urlValues
            for digit in text {
                let value = values[Int(digit)]
                guard value >= 0 else { return nil }
                (bits, count) = (bits << 6 | value, count + 6)
                guard count >= 8 else { continue }
                count -= 8
                bytes.append(UInt8(bits >> count))
                bits &= (1 << count) - 1
            }
            return count < 6 && bits == 0 ? bytes : nil
        }
    }
}
