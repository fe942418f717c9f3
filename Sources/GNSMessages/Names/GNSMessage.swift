import Foundation
import Nearby

/// A message that devices publish: bytes with a type. Two messages are equal if their namespaces, types and
/// contents are.
///
/// A message whose content or type is over its limit (``kGNSMessageMaximumContentSize``,
/// ``kGNSMessageMaximumTypeLength``) fails an assertion when it is published. If assertions are off, it is
/// silently not published.
public final class GNSMessage: NSObject, Sendable {
    /// The namespace; it is empty for the project's own. Only a beacon's messages have another one.
    public let messageNamespace: String!
    /// The type; it is empty unless one is given.
    public let type: String!
    /// The content, up to ``kGNSMessageMaximumContentSize`` bytes. A message with `nil` cannot be published.
    public let content: Data!

    /// Makes a message without a type.
    public convenience init(content: Data?) { self.init(content: content, type: "") }

    /// - Parameters:
    ///   - content: a message with `nil` cannot be published.
    ///   - type: the type that subscriptions may ask for; `nil` is the same as empty.
    public convenience init(content: Data?, type: String?) {
        self.init(content: content, type: type ?? "", messageNamespace: "")
    }

    init(content: Data?, type: String, messageNamespace: String) {
        (self.content, self.type, self.messageNamespace) = (content, type, messageNamespace)
    }

    @available(*, unavailable, message: "a message has content: init(content:)")
    public override init() { fatalError("init(content:)") }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? GNSMessage else { return false }
        return content == other.content && type == other.type && messageNamespace == other.messageNamespace
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(content)
        hasher.combine(type)
        hasher.combine(messageNamespace)
        return hasher.finalize()
    }

    public override var description: String {
        "GNSMessage(type: \"\(type ?? "")\", namespace: \"\(messageNamespace ?? "")\", \(content?.count ?? 0) bytes)"
    }
}

extension GNSMessage {
    convenience init(_ message: Message) {
        self.init(
            content: Data(message.content), type: message.type, messageNamespace: message.namespace)
    }

    /// Throws `.contentTooLarge`, `.typeTooLong` or `.nameTooLong`.
    func message() throws(NearbyError) -> Message {
        try Message(content ?? Data(), type: type ?? "", namespace: messageNamespace ?? "")
    }
}
