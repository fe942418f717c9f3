/// A project that needs no server: whoever has its key reads what its devices say, and can say it too.
public struct OfflineProject: Sendable, Hashable {
    /// Part of all that is sealed: as much as the key, it tells one project from another.
    public let name: String
    let key: [UInt8]

    /// Of the key: 256 bits.
    public static let keyByteCount = 32

    /// Nil unless the key has ``keyByteCount`` bytes.
    ///
    /// - Parameters:
    ///   - name: two projects with one key do not hear each other if they have different names.
    ///   - key: from a strong source of random numbers: a password in its place could be guessed from one frame.
    public init?(name: String, key: some Sequence<UInt8>) {
        (self.name, self.key) = (name, Array(key))
        guard self.key.count == OfflineProject.keyByteCount else { return nil }
    }
}
