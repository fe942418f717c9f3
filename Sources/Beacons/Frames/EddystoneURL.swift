/// A web address whose most common parts are one byte each.
///
///     | 0x10 | tx power at 0 m 1 | scheme 1 | codes and characters 1 … 17 |
public struct EddystoneURL: Hashable, Sendable {
    static let frameType: UInt8 = 0x10
    static let headByteCount = 3
    static let encodedByteCounts = 1...17

    static let schemes = ["http://www.", "https://www.", "http://", "https://"]
    /// The parts of addresses, by their code.
    static let expansions = [
        ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/", ".com", ".org", ".edu", ".net",
        ".info",
        ".biz", ".gov",
    ]

    /// The power received at 0 m, as sent: 41 dB above that at 1 m.
    public var txPowerAtZeroMetersDBm: Int8
    /// The address as sent: scheme, codes and characters. 2 to 18 bytes.
    public let encoded: [UInt8]

    /// Encodes an address in its shortest form. Throws ``EddystoneURLProblem`` if it cannot be sent.
    public init(_ text: String, txPowerAtZeroMetersDBm: Int8) throws(EddystoneURLProblem) {
        self.txPowerAtZeroMetersDBm = txPowerAtZeroMetersDBm
        encoded = try EddystoneURL.compress(text)
    }

    /// The address, such as `https://example.com/x`.
    public var text: String {
        var text = EddystoneURL.schemes[Int(encoded[0])]
        for code in encoded.dropFirst() {
            if Int(code) < EddystoneURL.expansions.count {
                text += EddystoneURL.expansions[Int(code)]
            } else {
                text.unicodeScalars.append(Unicode.Scalar(code))
            }
        }
        return text
    }

    /// Returns true if a byte stands for itself: visible ASCII.
    static func isCharacter(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    init(_ bytes: Span<UInt8>) throws(BeaconRejection) {
        let head = EddystoneURL.headByteCount
        guard EddystoneURL.encodedByteCounts.contains(bytes.count - head) else {
            throw .byteCount(
                .url, expected: EddystoneURL.encodedByteCounts.map { head + $0 }, received: bytes.count)
        }
        guard Int(bytes[2]) < EddystoneURL.schemes.count else { throw .scheme(bytes[2]) }
        for index in head..<bytes.count
        where Int(bytes[index]) >= EddystoneURL.expansions.count && !EddystoneURL.isCharacter(bytes[index]) {
            throw .reservedCode(bytes[index])
        }
        txPowerAtZeroMetersDBm = Int8(bitPattern: bytes[1])
        encoded = bytes.extracting(2..<bytes.count).array
    }

    /// The bytes of the service data after the UUID: 4 to 20 bytes.
    public var bytes: [UInt8] {
        [EddystoneURL.frameType, UInt8(bitPattern: txPowerAtZeroMetersDBm)] + encoded
    }
}

extension EddystoneURL {
    /// Returns the shortest form: the longest expansion at every place gives it, because of two that match,
    /// one is the other with a `/` after it.
    private static func compress(_ text: String) throws(EddystoneURLProblem) -> [UInt8] {
        let all = Array(text.utf8)
        guard
            let scheme = schemes.indices.filter({ all.starts(with: schemes[$0].utf8) })
                .max(by: { schemes[$0].utf8.count < schemes[$1].utf8.count })
        else { throw .scheme(text) }
        var rest = all.dropFirst(schemes[scheme].utf8.count)
        var encoded = [UInt8(scheme)]
        while let first = rest.first {
            if let code = expansions.firstIndex(where: { rest.starts(with: $0.utf8) }) {
                encoded.append(UInt8(code))
                rest = rest.dropFirst(expansions[code].utf8.count)
            } else {
                guard isCharacter(first) else { throw .character(text) }
                encoded.append(first)
                rest = rest.dropFirst()
            }
        }
        guard encodedByteCounts.contains(encoded.count - 1) else {
            throw .byteCount(encoded.count - 1, text)
        }
        return encoded
    }
}

/// The reason why an address cannot be sent as ``EddystoneURL``.
public enum EddystoneURLProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The address begins with neither `http://` nor `https://`, in lower case.
    case scheme(String)
    /// The address has a space or a character outside ASCII.
    case character(String)
    /// The address, in its shortest form, has no byte after the scheme, or more than 17: the number of bytes,
    /// and the address.
    case byteCount(Int, String)

    public var description: String {
        switch self {
        case .scheme(let text): "an address that begins with http:// or https:// was expected, not: \(text)"
        case .character(let text):
            "only ASCII without spaces can be sent: write others as %XX or xn--…, in: \(text)"
        case .byteCount(let count, let text):
            "1 to 17 bytes after the scheme can be sent, these are \(count): use a shorter address than \(text)"
        }
    }
}
