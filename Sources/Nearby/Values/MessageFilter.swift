/// Which messages a subscription wants.
public struct MessageFilter: Sendable, Hashable {
    public enum Rule: Sendable, Hashable {
        /// Every type of a namespace.
        case namespace(String)
        case type(String, namespace: String)
        /// Bytes that came by sound, without a registry.
        case audioBytes
    }

    public var rules: Set<Rule>

    public init(_ rules: Set<Rule>) { self.rules = rules }

    /// All messages of the project, whatever their type.
    public static let everything = MessageFilter([.namespace("")])
    public static let audioBytes = MessageFilter([.audioBytes])

    public static func type(_ type: String, namespace: String = "") -> MessageFilter {
        MessageFilter([.type(type, namespace: namespace)])
    }

    public static func types(_ types: some Sequence<String>, namespace: String = "") -> MessageFilter {
        MessageFilter(Set(types.map { .type($0, namespace: namespace) }))
    }

    /// What either lets through.
    public func union(_ other: MessageFilter) -> MessageFilter { MessageFilter(rules.union(other.rules)) }

    public func matches(_ message: Message) -> Bool {
        rules.contains(.namespace(message.namespace))
            || rules.contains(.type(message.type, namespace: message.namespace))
    }

    /// Whether it is of use to ask a registry.
    var wantsMessages: Bool { rules != [.audioBytes] && !rules.isEmpty }
    var wantsAudioBytes: Bool { rules.contains(.audioBytes) }
}
