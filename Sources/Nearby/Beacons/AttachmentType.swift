/// What an attachment of a beacon is, and to whom the name belongs: `namespace/type`.
public struct AttachmentType: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Of ``namespace``, which has at least one; it is ASCII, so these are characters too.
    public static let maximumNamespaceByteCount = 64

    /// Letters, digits, `-`, `_` and `.`; on a server it belongs to one project.
    public let namespace: String
    /// At most ``Message/maximumTypeCharacterCount`` Unicode scalars, none of them `/`, `*` or a control character; not empty.
    public let type: String

    /// Nil unless both names are ones.
    public init?(namespace: String, type: String) {
        guard AttachmentType.isNamespace(namespace), AttachmentType.isType(type) else { return nil }
        (self.namespace, self.type) = (namespace, type)
    }

    /// Nil unless it is `namespace/type`.
    public init?(_ text: String) {
        // Not by characters: with an accent after it, a slash is another one.
        let scalars = text.unicodeScalars
        guard let slash = scalars.firstIndex(of: "/") else { return nil }
        self.init(
            namespace: String(scalars[..<slash]), type: String(scalars[scalars.index(after: slash)...]))
    }

    public var description: String { "\(namespace)/\(type)" }

    public static func < (one: AttachmentType, other: AttachmentType) -> Bool {
        (one.namespace, one.type) < (other.namespace, other.type)
    }

    /// Whether this may be a ``namespace``: 1 to ``maximumNamespaceByteCount`` ASCII letters, digits, `-`,
    /// `_` and `.`. Whose it is is not looked at.
    public static func isNamespace(_ name: String) -> Bool {
        (1...maximumNamespaceByteCount).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    private static func isType(_ name: String) -> Bool {
        // Characters may be of any length; what is kept for everyone may not.
        (1...Message.maximumTypeCharacterCount).contains(name.unicodeScalars.count)
            && name.unicodeScalars.allSatisfy { scalar in
                scalar != "/" && scalar != "*" && scalar.properties.generalCategory != .control
            }
    }
}

/// Which attachments are asked for.
public enum AttachmentFilter: Sendable, Hashable, CustomStringConvertible {
    /// `*`: all types in all namespaces of whoever asks.
    case own
    /// `namespace/*`
    case namespace(String)
    /// `namespace/type`
    case type(AttachmentType)

    /// Nil unless it is one of the three.
    public init?(_ text: String) {
        if text == "*" {
            self = .own
        } else if text.utf8.suffix(2).elementsEqual("/*".utf8),
            AttachmentType.isNamespace(String(text.dropLast(2)))
        {
            self = .namespace(String(text.dropLast(2)))
        } else if let type = AttachmentType(text) {
            self = .type(type)
        } else {
            return nil
        }
    }

    public var description: String {
        switch self {
        case .own: "*"
        case .namespace(let name): "\(name)/*"
        case .type(let type): type.description
        }
    }
}
