/// The type of a beacon's attachment and the owner of that name: `namespace/type`.
public struct AttachmentType: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The highest byte count of ``namespace``, which has at least one byte. It is ASCII, so this counts
    /// characters too.
    public static let maximumNamespaceByteCount = 64

    /// The namespace: letters, digits, `-`, `_` and `.`. On a server it belongs to one project.
    public let namespace: String
    /// The type: 1 to ``Message/maximumTypeCharacterCount`` Unicode scalars, none of them `/`, `*` or a
    /// control character.
    public let type: String

    /// Creates a type, or returns `nil` unless both names are valid.
    public init?(namespace: String, type: String) {
        guard AttachmentType.isNamespace(namespace), AttachmentType.isType(type) else { return nil }
        (self.namespace, self.type) = (namespace, type)
    }

    /// Parses `namespace/type`, or returns `nil` for any other text.
    public init?(_ text: String) {
        // Searches by Unicode scalars: a slash with an accent after it is another character.
        let scalars = text.unicodeScalars
        guard let slash = scalars.firstIndex(of: "/") else { return nil }
        self.init(
            namespace: String(scalars[..<slash]), type: String(scalars[scalars.index(after: slash)...]))
    }

    public var description: String { "\(namespace)/\(type)" }

    public static func < (one: AttachmentType, other: AttachmentType) -> Bool {
        (one.namespace, one.type) < (other.namespace, other.type)
    }

    /// Returns true if the text may be a ``namespace``: 1 to ``maximumNamespaceByteCount`` ASCII letters,
    /// digits, `-`, `_` and `.`. The owner of the namespace is not checked.
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
        // Counts Unicode scalars: a character may be of any length, and a name that is kept for everyone may
        // not.
        (1...Message.maximumTypeCharacterCount).contains(name.unicodeScalars.count)
            && name.unicodeScalars.allSatisfy { scalar in
                scalar != "/" && scalar != "*" && scalar.properties.generalCategory != .control
            }
    }
}

/// A query for attachments by their types.
public enum AttachmentFilter: Sendable, Hashable, CustomStringConvertible {
    /// `*`: all types in all namespaces of the project that asks.
    case own
    /// `namespace/*`
    case namespace(String)
    /// `namespace/type`
    case type(AttachmentType)

    /// Parses one of the three forms, or returns `nil` for any other text.
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
