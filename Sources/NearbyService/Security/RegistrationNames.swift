import Crypto
import Nearby

/// Secrets of devices whose clients name their registrations, so that a client that lost the answer gets the
/// same device when it asks again.
///
///     secret = HMAC-SHA256(key of this process, project, API key, name)
///
/// Neither names nor secrets are kept. The key is random, never leaves the process, and is replaced every
/// ``period``: after two periods nobody can derive the secret again, not even with the name.
struct RegistrationNames: Sendable {
    /// The lengths of a name. The shortest has 128 bits in base64url.
    static let lengths = 22...64
    /// The time for which a key is used for new devices. The devices of the key before it are still found.
    static let period = Duration.seconds(300)

    private var current: SymmetricKey
    private var previous: SymmetricKey?
    private var end: Instant

    /// - Parameter random: a generator that must be cryptographically strong.
    init(random: inout some RandomNumberGenerator, now: Instant) {
        (current, end) = (RegistrationNames.key(&random), now + RegistrationNames.period)
    }

    /// Checks the form of a name. Whether it can be guessed, only the client knows. Throws: `.malformed`.
    static func check(_ name: String) throws(ServiceRefusal) {
        let isGood = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isGood, lengths.contains(name.utf8.count) else {
            throw .malformed(
                "Idempotency-Key: expected \(lengths.lowerBound) to \(lengths.upperBound) letters, digits, '-' and '_', at random, came \(name.utf8.count) characters"
            )
        }
    }

    /// Returns the secret of a new device with that name, and the one that the same name had under the key
    /// before; `nil` if there is no such key.
    mutating func secrets(
        _ name: String, key: APIKey, random: inout some RandomNumberGenerator, now: Instant
    ) -> (new: Secret, earlier: Secret?) {
        if now >= end {
            previous = now < end + RegistrationNames.period ? current : nil
            (current, end) = (RegistrationNames.key(&random), now + RegistrationNames.period)
        }
        let text = "\(key.project.number) \(key.id) \(name)"
        return (
            RegistrationNames.secret(text, current, of: key.project),
            previous.map { RegistrationNames.secret(text, $0, of: key.project) }
        )
    }

    private static func key(_ random: inout some RandomNumberGenerator) -> SymmetricKey {
        SymmetricKey(data: (0..<4).flatMap { _ in (random.next() as UInt64).bigEndianBytes })
    }

    private static func secret(_ text: String, _ key: SymmetricKey, of project: ProjectID) -> Secret {
        var words = Words(bytes: Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)))
        return Secret(.device, of: project, random: &words)
    }

    /// The four words of a code, as a source of the bits of a ``Secret``.
    private struct Words: RandomNumberGenerator {
        var bytes: [UInt8]

        mutating func next() -> UInt64 {
            defer { bytes.removeFirst(8) }
            return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
