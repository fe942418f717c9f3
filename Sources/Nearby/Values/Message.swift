/// A message that a device publishes: bytes of a type, in a namespace.
public struct Message: Sendable, Hashable {
    /// The namespace, at most ``maximumNameScalarCount`` Unicode scalars. An empty one is the project's own.
    public let namespace: String
    /// The type of the content, at most ``maximumTypeCharacterCount`` characters; it may be empty.
    public let type: String
    /// The content, at most ``maximumContentByteCount`` bytes of any kind; it may be empty.
    public let content: [UInt8]

    /// The highest byte count of ``content``: 100 KiB. For more, publish a link.
    public static let maximumContentByteCount = 100 * 1024
    /// The highest character count of ``type``. Swift's characters consist of one or several Unicode scalars.
    public static let maximumTypeCharacterCount = 32
    /// The highest count of Unicode scalars in ``type`` and in ``namespace``: a character may consist of any
    /// number of them.
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

    /// Creates a message whose content is a text as UTF-8.
    public init(_ text: String, type: String = "", namespace: String = "") throws(NearbyError) {
        try self.init(text.utf8, type: type, namespace: namespace)
    }

    /// Throws: `.nameTooLong`.
    static func check(name: String) throws(NearbyError) {
        let count = name.unicodeScalars.count
        guard count <= maximumNameScalarCount else { throw .nameTooLong(scalarCount: count) }
    }

    /// The content as UTF-8 text, with invalid bytes replaced.
    public var text: String { String(decoding: content, as: UTF8.self) }
}
