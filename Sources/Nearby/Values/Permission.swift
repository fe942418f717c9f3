/// Whether the user lets this device find others and be found.
public enum Permission: String, Sendable, Hashable {
    /// Nobody has asked yet, or the answer is awaited.
    case undecided
    case granted
    case denied
}
