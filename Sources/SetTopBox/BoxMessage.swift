import Nearby

/// A message that has arrived. Each message arrives once, even if its app goes and comes back, the server is
/// lost meanwhile, or the box is set up anew.
public struct BoxMessage: Sendable, Hashable {
    /// The kind of event.
    public enum Change: String, Sendable, Hashable, CaseIterable {
        /// The box did not know the message before.
        case arrived
        /// Its app has changed the content.
        case changed
    }

    /// The kind of event about this message.
    public var change: Change
    /// The identifier under which the message was found. It does not identify the message's app.
    public var id: PublicationID
    /// Its namespace, type and content.
    public var message: Message

    /// Makes a message that has arrived.
    public init(_ change: Change, id: PublicationID, message: Message) {
        (self.change, self.id, self.message) = (change, id, message)
    }
}
