import Nearby

/// A message that has arrived. Each arrives once: also if its app goes and comes back, the server is lost meanwhile, or the box
/// is set up anew.
public struct BoxMessage: Sendable, Hashable {
    /// What is new about it.
    public enum Change: String, Sendable, Hashable, CaseIterable {
        /// Nothing was known of it.
        case arrived
        /// Its app has changed the content.
        case changed
    }

    /// What is new.
    public var change: Change
    /// Under which it was found; its app is not told from it.
    public var id: PublicationID
    /// Its namespace, type and content.
    public var message: Message

    /// One that has arrived so.
    public init(_ change: Change, id: PublicationID, message: Message) {
        (self.change, self.id, self.message) = (change, id, message)
    }
}
