import Crypto
import Nearby

/// What is shown once, and of which only the hash is kept: 256 random bits, and in front of them what they are for.
///
///     nbk_1_m3XyZ…  an API key of project 1        nbd_1_k3f…  a device of project 1        nbw_1_8Rt…  a web key of project 1
///
/// Nobody can guess one, so a plain SHA-256 hides it, and looking its hash up tells nothing by the time it takes.
public struct Secret: Sendable, CustomStringConvertible {
    /// What a secret is for. The raw value stands before the first `_`.
    public enum Kind: String, Sendable {
        /// A project's API key, in its apps: registers devices, asks about beacons.
        case key = "nbk"
        /// An API key that a web page shows to everybody: see ``WebKey``. It is no secret.
        case webKey = "nbw"
        /// One device's: with it the device reports, and is told.
        case device = "nbd"
    }

    /// All of it: whoever shows it is believed. For logs there is ``description``.
    public let text: String
    /// As the text says: whether there is such a project, the store knows.
    public let project: ProjectID

    /// - Parameter random: must be cryptographically strong.
    public init(_ kind: Kind, of project: ProjectID, random: inout some RandomNumberGenerator) {
        let bits = (0..<4).map { _ in Token(bits: random.next()).description }.joined()
        (text, self.project) = ("\(kind.rawValue)_\(project.number)_\(bits)", project)
    }

    /// Nil unless it looks like one of that kind.
    public init?(_ kind: Kind, _ text: Substring) {
        guard text.utf8.count <= 80, text.hasPrefix(kind.rawValue + "_") else { return nil }
        let rest = text.dropFirst(kind.rawValue.utf8.count + 1)
        guard let end = rest.firstIndex(of: "_"), let number = Int64(rest[..<end]), number > 0 else {
            return nil
        }
        (self.text, project) = (String(text), ProjectID(number))
    }

    /// An API key of either kind; nil unless it looks like one.
    public static func anyKey(_ text: Substring) -> Secret? { Secret(.key, text) ?? Secret(.webKey, text) }

    /// What is stored and looked up in place of the text.
    public var hash: SecretHash { SecretHash(of: text) }

    /// For logs: what it is for, its project, and the beginning of its hash. Has no character of what is secret.
    public var description: String {
        let kind = text.prefix { $0 != "_" }
        let name = hash.bytes.prefix(4).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        return "\(kind)_\(project.number)#\(name.joined())"
    }
}

/// SHA-256 of a ``Secret``.
public struct SecretHash: Sendable, Hashable {
    // Not a SIMD4, which is aligned to 32 bytes.
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    init(of text: String) { self.init(bytes: Array(SHA256.hash(data: Array(text.utf8))))! }

    /// Nil unless there are 32.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var words = [UInt64](repeating: 0, count: 4)
        for (n, byte) in bytes.enumerated() { words[n / 8] = words[n / 8] << 8 | UInt64(byte) }
        (first, second, third, fourth) = (words[0], words[1], words[2], words[3])
    }

    /// All 32, as ``init(bytes:)`` takes them.
    public var bytes: [UInt8] {
        [first, second, third, fourth].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
        }
    }
}
