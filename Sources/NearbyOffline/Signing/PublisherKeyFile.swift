extension PublisherKey {
    /// Throws: what is wrong with the text.
    public init(keyFile text: String) throws(KeyFileError) {
        let file = try KeyFile(text, words: ["signer"])
        guard let key = PublisherKey(bytes: try file.bytes("signer")) else { throw .notBytes(word: "signer") }
        self = key
    }

    /// To be kept secret.
    public var keyFile: String {
        """
        # Whoever has this file publishes as its owner, whose public key is \(publisher)
        signer \(Base64URL.text(bytes))

        """
    }
}

extension Publisher: CustomStringConvertible {
    /// Nil unless it is a ``description``.
    public init?(_ text: String) {
        guard let bytes = Base64URL.bytes(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The public key, 43 letters, digits, `-` and `_`.
    public var description: String { Base64URL.text(bytes) }
}
