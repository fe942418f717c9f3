/// The identifier of an API key, by which its owner names it, for example to revoke it. It grants no access.
package struct KeyID: Sendable, Hashable, CustomStringConvertible {
    /// The number that the store assigns; it counts keys over all projects.
    package let number: Int64

    /// - Parameter number: the number that the store assigned.
    package init(_ number: Int64) { self.number = number }

    package var description: String { String(number) }
}

/// An API key: of a project's apps, whose text is not stored, or of a web page, see ``WebKey``.
package struct APIKey: Sendable, Hashable {
    /// The identifier by which the key is revoked.
    package var id: KeyID
    /// The project in which the key registers devices.
    package var project: ProjectID
    /// The purpose of the key, in its owner's words.
    package var label: String
    /// True if the key grants no access any more and is kept only to be listed.
    package var isRevoked: Bool
    /// The pages for which the key is valid; `nil` if it is a key for apps.
    package var web: WebKey?

    /// Creates the value from stored properties. ``ServiceStore/addKey(_:label:web:to:)`` makes a new key.
    package init(
        id: KeyID, project: ProjectID, label: String, isRevoked: Bool = false, web: WebKey? = nil
    ) {
        (self.id, self.project, self.label) = (id, project, label)
        (self.isRevoked, self.web) = (isRevoked, web)
    }
}

/// An API key that a web page shows to everybody and that the server accepts from some pages only.
package struct WebKey: Sendable, Hashable {
    /// The text of the key. Everybody can read it in the page, so the store keeps it as well.
    package var text: String
    /// The origins of the pages for which the key is valid, as browsers write them, such as
    /// `https://shop.example`. If there are none, it is valid for the server's own page.
    package var origins: [String]

    /// Creates a web key without checking the text or the origins.
    package init(text: String, origins: [String]) { (self.text, self.origins) = (text, origins) }

    /// The origins in the form that a store keeps: one text with blanks between them. ``origins(stored:)`` is
    /// the inverse.
    package var storedOrigins: String { origins.joined(separator: " ") }

    /// Reads the origins from the text that a store keeps.
    package static func origins(stored text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }
}
