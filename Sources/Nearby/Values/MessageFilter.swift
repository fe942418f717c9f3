/// The filter of a subscription: the messages that it wants.
public struct MessageFilter: Sendable, Hashable {
    /// One rule of a filter.
    public enum Rule: Sendable, Hashable {
        /// Every type of a namespace.
        case namespace(String)
        /// One type of a namespace; an empty namespace is the project's own.
        case type(String, namespace: String)
        /// Bytes that come by sound, without a registry.
        case audioBytes
    }

    /// The rules. The filter wants whatever any of them matches; without rules, it wants nothing.
    public var rules: Set<Rule>

    /// The highest number of ``rules``.
    public static let maximumRuleCount = 100

    /// - Parameter rules: the filter wants whatever any of these rules matches.
    public init(_ rules: Set<Rule>) { self.rules = rules }

    /// Messages of any of some types of a namespace; if no type is named, of all of them.
    package init(types: [String], namespace: String) {
        self.init(
            types.isEmpty ? [.namespace(namespace)] : Set(types.map { .type($0, namespace: namespace) }))
    }

    /// All messages of the project, whatever their type.
    public static let everything = MessageFilter([.namespace("")])
    /// Bytes that come by sound, and no messages; only for a strategy with ``Medium/audio``.
    public static let audioBytes = MessageFilter([.audioBytes])

    /// Messages of one type, by default in the project's own namespace.
    public static func type(_ type: String, namespace: String = "") -> MessageFilter {
        MessageFilter([.type(type, namespace: namespace)])
    }

    /// Messages of any of these types, all in one namespace; without types, nothing.
    public static func types(_ types: some Sequence<String>, namespace: String = "") -> MessageFilter {
        MessageFilter(Set(types.map { .type($0, namespace: namespace) }))
    }

    /// Returns a filter that wants whatever either of the two filters wants.
    public func union(_ other: MessageFilter) -> MessageFilter { MessageFilter(rules.union(other.rules)) }

    /// Returns true if the filter wants the message. Bytes by sound are not messages.
    public func matches(_ message: Message) -> Bool {
        rules.contains(.namespace(message.namespace))
            || rules.contains(.type(message.type, namespace: message.namespace))
    }

    /// Throws: `.tooManyRules`, `.nameTooLong`, because no registry would take the filter.
    func validate() throws(NearbyError) {
        guard rules.count <= MessageFilter.maximumRuleCount else { throw .tooManyRules(count: rules.count) }
        for rule in rules {
            switch rule {
            case .namespace(let namespace): try Message.check(name: namespace)
            case .type(let type, let namespace):
                for name in [type, namespace] { try Message.check(name: name) }
            case .audioBytes: break
            }
        }
    }

    /// True if the filter wants messages, so that a registry is needed.
    var wantsMessages: Bool { rules != [.audioBytes] && !rules.isEmpty }
    var wantsAudioBytes: Bool { rules.contains(.audioBytes) }
}
