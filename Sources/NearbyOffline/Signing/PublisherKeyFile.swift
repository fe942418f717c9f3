import Nearby

extension PublisherKey {
    /// Throws: ``KeyFileError`` if the text is not a key file.
    public init(keyFile text: String) throws(KeyFileError) {
        let file = try KeyFile(text, words: ["signer"])
        guard let key = PublisherKey(bytes: try file.bytes("signer")) else { throw .notBytes(word: "signer") }
        self = key
    }

    /// The text of a key file with this key, which must be kept secret.
    public var keyFile: String {
        """
        # Whoever has this file publishes as its owner, whose public key is \(publisher)
        signer \(Base64.urlText(bytes))

        """
    }
}

extension Publisher: CustomStringConvertible {
    /// Parses a public key, or returns `nil` unless the text is a ``description``.
    public init?(_ text: String) {
        guard let bytes = Base64.bytes(ofURLText: text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The public key as 43 letters, digits, `-` and `_`.
    public var description: String { Base64.urlText(bytes) }
}
