import Crypto
import Nearby

/// A secret that is shown once and of which only the hash is stored. It consists of a prefix that states its
/// purpose, and of 256 random bits.
///
///     nbk_1_m3XyZ…  an API key of project 1
///     nbd_1_k3f…    a device of project 1
///     nbw_1_8Rt…    a web key of project 1
///
/// Nobody can guess a secret, so a plain SHA-256 hides it, and the time of a look-up by hash reveals nothing.
package struct Secret: Sendable, CustomStringConvertible {
    /// The purpose of a secret. The raw value stands before the first `_`.
    package enum Kind: String, Sendable {
        /// A project's API key, which its apps contain. It registers devices and asks about beacons.
        case key = "nbk"
        /// An API key that a web page shows to everybody: see ``WebKey``. It is not secret.
        case webKey = "nbw"
        /// The secret of one device, with which the device sends reports and receives events.
        case device = "nbd"

        fileprivate var beginning: String { rawValue + "_" }
    }

    /// The complete secret, which authenticates whoever presents it. Logs use ``description`` instead.
    package let text: String
    /// The project that the text names. Only the store knows whether there is such a project.
    package let project: ProjectID

    /// - Parameter random: a generator that must be cryptographically strong.
    package init(_ kind: Kind, of project: ProjectID, random: inout some RandomNumberGenerator) {
        let bits = (0..<4).map { _ in Token(bits: random.next()).description }.joined()
        (text, self.project) = ("\(kind.rawValue)_\(project.number)_\(bits)", project)
    }

    /// Reads a secret from a text; `nil` unless the text has the form of a secret of that kind.
    package init?(_ kind: Kind, _ text: Substring) {
        let text = String(text)
        guard text.utf8.count <= 80, text.hasPrefix(kind.beginning) else { return nil }
        let rest = text.utf8.dropFirst(kind.beginning.utf8.count)
        guard let end = rest.firstIndex(of: UInt8(ascii: "_")),
            let number = Int64(Substring(rest[..<end])), number > 0
        else { return nil }
        (self.text, project) = (text, ProjectID(number))
    }

    /// Reads an API key of either kind; `nil` unless the text has the form of one.
    package static func anyKey(_ text: Substring) -> Secret? { Secret(.key, text) ?? Secret(.webKey, text) }

    /// The hash that is stored and looked up in place of the text.
    package var hash: SecretHash { SecretHash(of: text) }

    /// A description for logs: the purpose, the project, and the beginning of the hash. It contains no
    /// character of the secret part.
    package var description: String {
        let kind = text.prefix { $0 != "_" }
        let name = hash.bytes.prefix(4).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        return "\(kind)_\(project.number)#\(name.joined())"
    }
}

/// SHA-256 of a ``Secret``.
package struct SecretHash: Sendable, Hashable {
    // The hash is not a SIMD4, because that is aligned to 32 bytes.
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    /// Eight of the bytes, as a number.
    var word: UInt64 { first }

    /// Eight random bytes are enough to find a hash in a table.
    package func hash(into hasher: inout Hasher) { hasher.combine(first) }

    init(of text: String) {
        self = SHA256.hash(data: Array(text.utf8)).withUnsafeBytes { SecretHash(bytes: $0)! }
    }

    /// Creates a hash from its bytes; `nil` unless there are 32.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        func word(_ number: Int) -> UInt64 { bytes.dropFirst(8 * number).prefix(8).bigEndianNumber }
        (first, second, third, fourth) = (word(0), word(1), word(2), word(3))
    }

    /// The hash as 64 hexadecimal digits.
    package var hexadecimal: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The 32 bytes of the hash, in the form that ``init(bytes:)`` takes.
    package var bytes: [UInt8] {
        [first, second, third, fourth].flatMap(\.bigEndianBytes)
    }
}

extension SecretHash: Comparable {
    package static func < (a: SecretHash, b: SecretHash) -> Bool {
        (a.first, a.second, a.third, a.fourth) < (b.first, b.second, b.third, b.fourth)
    }
}
