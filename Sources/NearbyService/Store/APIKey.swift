/// An API key as its owner names it, to revoke it for example. Opens nothing.
public struct KeyID: Sendable, Hashable, CustomStringConvertible {
    /// Given by the store, and counted over all projects.
    public let number: Int64

    /// - Parameter number: as the store has it.
    public init(_ number: Int64) { self.number = number }

    public var description: String { String(number) }
}

/// What apps of a project carry; its text is not kept. Or what a page shows: a ``WebKey``.
public struct APIKey: Sendable, Hashable {
    /// By which it is revoked.
    public var id: KeyID
    /// Whose devices it registers.
    public var project: ProjectID
    /// What it is for, in its owner's words.
    public var label: String
    /// It opens nothing any more, and is only kept to be listed.
    public var isRevoked: Bool
    /// Which pages it is for; nil: it is for apps.
    public var web: WebKey?

    /// As the store has it: ``ServiceStore/addKey(_:label:web:to:)`` makes one.
    public init(
        id: KeyID, project: ProjectID, label: String, isRevoked: Bool = false, web: WebKey? = nil
    ) {
        (self.id, self.project, self.label) = (id, project, label)
        (self.isRevoked, self.web) = (isRevoked, web)
    }
}

/// An API key that a web page shows to everybody, and that is taken from some pages alone.
public struct WebKey: Sendable, Hashable {
    /// The key itself. Everybody may read it in the page, so that it is kept, too.
    public var text: String
    /// Of the pages that it is for, as browsers write them, `https://shop.example`; none: the server's own page.
    public var origins: [String]

    /// Nothing is checked.
    public init(text: String, origins: [String]) { (self.text, self.origins) = (text, origins) }

    /// The origins as a store keeps them: blanks between them. Opposite: ``origins(stored:)``.
    public var storedOrigins: String { origins.joined(separator: " ") }

    /// Reads the origins from the text that a store has kept.
    public static func origins(stored text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }
}
