/// Whom a device believes.
public enum OfflineTrust: Sendable, Hashable {
    /// Whoever has the project's key; signatures are not looked at.
    case members
    /// Only bulletins that one of these has signed.
    case publishers([Publisher])
}
