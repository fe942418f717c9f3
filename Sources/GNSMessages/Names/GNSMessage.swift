import Foundation
import Nearby

/// What is published: bytes of a type. Equal when namespace, type and content are.
///
/// Content or type over the limit (``kGNSMessageMaximumContentSize``, ``kGNSMessageMaximumTypeLength``): an assertion fails when
/// it is published; where assertions are off it is silently not published.
public final class GNSMessage: NSObject, Sendable {
    /// Empty: the project's own. Only a beacon's messages have another one.
    public let messageNamespace: String!
    /// Empty unless given.
    public let type: String!
    /// What is said, up to ``kGNSMessageMaximumContentSize`` bytes; nil cannot be published.
    public let content: Data!

    /// Of no type.
    public convenience init(content: Data?) { self.init(content: content, type: "") }

    /// - Parameters:
    ///   - content: nil cannot be published.
    ///   - type: what subscriptions may ask for; nil is the same as empty.
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

    /// Throws: `.contentTooLarge`, `.typeTooLong`, `.nameTooLong`.
    func message() throws(NearbyError) -> Message {
        try Message(content ?? Data(), type: type ?? "", namespace: messageNamespace ?? "")
    }
}
