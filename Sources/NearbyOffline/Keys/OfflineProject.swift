/// A project that needs no server: a holder of its key can read what its devices send, and can send as one of
/// them.
public struct OfflineProject: Sendable, Hashable {
    /// The name, which is part of everything that is sealed. It distinguishes projects, as the key does.
    public let name: String
    let key: [UInt8]

    /// The byte count of the key: 256 bits.
    public static let keyByteCount = 32

    /// Creates a project, or returns `nil` unless the key has ``keyByteCount`` bytes.
    ///
    /// - Parameters:
    ///   - name: the name. Two projects with one key and different names do not hear each other.
    ///   - key: bytes from a strong source of random numbers. A password in their place could be guessed from
    ///     one frame.
    public init?(name: String, key: some Sequence<UInt8>) {
        (self.name, self.key) = (name, Array(key))
        guard self.key.count == OfflineProject.keyByteCount else { return nil }
    }
}
