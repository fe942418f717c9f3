/// What is published: bytes of a type, in a namespace.
public struct Message: Sendable, Hashable {
    /// Empty: the project's own; at most ``maximumNameScalarCount`` Unicode scalars.
    public let namespace: String
    /// What kind of content it is; at most ``maximumTypeCharacterCount`` characters, may be empty.
    public let type: String
    /// At most ``maximumContentByteCount`` bytes, of any kind; may be empty.
    public let content: [UInt8]

    /// Of ``content``: 100 KiB. For more, publish a link.
    public static let maximumContentByteCount = 100 * 1024
    /// Of ``type``: characters as Swift counts them, of one or several Unicode scalars.
    public static let maximumTypeCharacterCount = 32
    /// Of ``type`` and of ``namespace``, in Unicode scalars: a character may be any number of them.
    public static let maximumNameScalarCount = 255

    /// Throws: `.contentTooLarge`, `.typeTooLong`, `.nameTooLong`.
    public init(
        _ content: some Sequence<UInt8>, type: String = "", namespace: String = ""
    ) throws(NearbyError) {
        let content = Array(content)
        guard content.count <= Message.maximumContentByteCount else {
            throw .contentTooLarge(byteCount: content.count)
        }
        guard type.count <= Message.maximumTypeCharacterCount else {
            throw .typeTooLong(characterCount: type.count)
        }
        for name in [type, namespace] { try Message.check(name: name) }
        (self.content, self.type, self.namespace) = (content, type, namespace)
    }

    /// UTF-8 text.
    public init(_ text: String, type: String = "", namespace: String = "") throws(NearbyError) {
        try self.init(text.utf8, type: type, namespace: namespace)
    }

    /// Throws: `.nameTooLong`.
    static func check(name: String) throws(NearbyError) {
        let count = name.unicodeScalars.count
        guard count <= maximumNameScalarCount else { throw .nameTooLong(scalarCount: count) }
    }

    /// The content as UTF-8, repaired where it is none.
    public var text: String { String(decoding: content, as: UTF8.self) }
}
