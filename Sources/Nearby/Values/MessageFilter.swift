/// Which messages a subscription wants.
public struct MessageFilter: Sendable, Hashable {
    /// One thing that is wanted.
    public enum Rule: Sendable, Hashable {
        /// Every type of a namespace.
        case namespace(String)
        /// One type of a namespace; an empty namespace is the project's own.
        case type(String, namespace: String)
        /// Bytes that came by sound, without a registry.
        case audioBytes
    }

    /// What one of them lets through is wanted; none: nothing is.
    public var rules: Set<Rule>

    /// Of ``rules``.
    public static let maximumRuleCount = 100

    /// - Parameter rules: wanted is what any of them lets through.
    public init(_ rules: Set<Rule>) { self.rules = rules }

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

    /// What either lets through.
    public func union(_ other: MessageFilter) -> MessageFilter { MessageFilter(rules.union(other.rules)) }

    /// Whether it lets a message through. Bytes by sound are no message.
    public func matches(_ message: Message) -> Bool {
        rules.contains(.namespace(message.namespace))
            || rules.contains(.type(message.type, namespace: message.namespace))
    }

    /// Throws: `.tooManyRules`, `.nameTooLong`: no registry would take it.
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

    /// Whether it is of use to ask a registry.
    var wantsMessages: Bool { rules != [.audioBytes] && !rules.isEmpty }
    var wantsAudioBytes: Bool { rules.contains(.audioBytes) }
}
