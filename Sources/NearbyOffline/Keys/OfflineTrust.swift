/// The devices that a device believes.
public enum OfflineTrust: Sendable, Hashable {
    /// All holders of the project's key; signatures are not checked.
    case members
    /// Only senders of bulletins that one of these publishers has signed.
    case publishers([Publisher])
}
