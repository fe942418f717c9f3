/// The limits for the lists of a body. They are checked while a body is decoded, so a long list costs no more
/// than its bytes.
package enum WireLimits {
    /// The number of observations in a report; the rest is left out.
    package static let observations = 2560
    /// The number of observations in a report that servers took before they sent
    /// ``WireRegistration/observationsPerReport``.
    package static let formerObservations = 200
    /// The number of entries in each other list of a report: publications, subscriptions, ends and tokens
    /// that are played.
    package static let entries = 200
    /// The number of words in a list of media or modes, of which there are two each; a repeated word does no
    /// harm.
    package static let words = 16
}

extension KeyedDecodingContainer {
    /// Decodes a list that may be missing or null.
    ///
    /// Throws: ``WireError`` for more than `limit` entries, before any of them is decoded.
    func decodeList<Element: Decodable>(
        _ type: Element.Type, _ key: Key, upTo limit: Int = WireLimits.entries
    ) throws -> [Element]? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        if let count = try nestedUnkeyedContainer(forKey: key).count, count > limit {
            throw WireError(WireError.place(codingPath + [key]), "at most \(limit), not \(count)")
        }
        return try decode([Element].self, forKey: key)
    }

    /// Decodes a list that must be there. Throws: as ``decodeList(_:_:upTo:)``.
    func decodeRequiredList<Element: Decodable>(
        _ type: Element.Type, _ key: Key, upTo limit: Int
    ) throws -> [Element] {
        guard let list = try decodeList(type, key, upTo: limit) else {
            return try decode([Element].self, forKey: key)
        }
        return list
    }

    /// Decodes the first `limit` entries of a list that may be missing or null.
    func decodePrefix<Element: Decodable>(
        _ type: Element.Type, _ key: Key, upTo limit: Int
    ) throws -> [Element]? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        var list = try nestedUnkeyedContainer(forKey: key)
        var elements: [Element] = []
        while !list.isAtEnd, elements.count < limit { elements.append(try list.decode(Element.self)) }
        return elements
    }
}
