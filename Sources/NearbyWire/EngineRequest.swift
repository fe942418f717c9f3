import FoundationEssentials

/// A request of a program to an engine on the same machine: one JSON object in a line.
///
///     {"operation":"1","do":"publish","text":"in the hall","type":"place"}
///     {"operation":"2","do":"subscribe","types":["place"]}
///     {"operation":"1","do":"update","text":"in the yard"}
///     {"operation":"1","do":"end"}
package struct EngineRequest: Sendable, Hashable {
    /// The kinds of requests.
    package enum Action: String, Sendable, Hashable, CaseIterable {
        /// Publish a message.
        case publish
        /// Give a publication other content.
        case update
        /// Find messages.
        case subscribe
        /// End a publication or a subscription.
        case end
    }

    /// The name that the program gives the operation; 1 to 64 characters.
    package var operation: String
    /// The kind of the request.
    package var action: Action
    /// The content of a message; empty for other requests.
    package var content: [UInt8]
    /// The type of a message; empty if it has none.
    package var type: String
    /// The namespace of a message, or of what is looked for.
    package var namespace: String
    /// The types that are looked for; empty for all of the namespace.
    package var types: [String]

    /// The most bytes of a line: a message's content in base64, or as text of escapes, and its names.
    package static let mostLineBytes = 700_000

    /// Reads a line. Throws: ``WireError``, one line.
    package init(line: [UInt8]) throws(WireError) {
        guard line.count <= EngineRequest.mostLineBytes else {
            throw WireError(
                "", "expected a line of at most \(EngineRequest.mostLineBytes) bytes, came \(line.count)")
        }
        self = try WireCoding.decode(EngineRequest.self, from: Data(line))
    }
}

extension EngineRequest: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case operation, text, content, type, namespace, types
        case action = "do"
    }

    /// The keys that an action takes, beside `operation` and `do`.
    private static func keys(of action: Action) -> Set<CodingKeys> {
        switch action {
        case .publish: [.text, .content, .type, .namespace]
        case .update: [.text, .content]
        case .subscribe: [.types, .namespace]
        case .end: []
        }
    }

    /// Throws: `DecodingError`, ``WireError``.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        operation = try fields.decode(String.self, forKey: .operation)
        guard (1...64).contains(operation.count) else {
            throw WireError("operation", "expected 1 to 64 characters, came \(operation.count)")
        }
        let name = try fields.decode(String.self, forKey: .action)
        guard let action = Action(rawValue: name) else {
            let known = Action.allCases.map(\.rawValue).joined(separator: ", ")
            throw WireError("do", "expected one of \(known), came '\(name.prefix(20))'")
        }
        self.action = action
        let allowed = EngineRequest.keys(of: action)
        for key in fields.allKeys where key != .operation && key != .action && !allowed.contains(key) {
            throw WireError(key.stringValue, "'\(name)' has no such field")
        }
        type = try fields.decodeIfPresent(String.self, forKey: .type) ?? ""
        namespace = try fields.decodeIfPresent(String.self, forKey: .namespace) ?? ""
        types = try fields.decodeIfPresent([String].self, forKey: .types) ?? []
        content = []
        guard allowed.contains(.content) else { return }
        guard fields.contains(.text) != fields.contains(.content) else {
            throw WireError("", "'\(name)' needs either 'text' or 'content', in base64")
        }
        content =
            fields.contains(.text)
            ? Array(try fields.decode(String.self, forKey: .text).utf8)
            : Array(try fields.decodeBase64(.content))
    }
}
