/// Whether the user lets this device find others and be found.
public enum Permission: String, Sendable, Hashable {
    /// Nobody has asked yet, or the answer is awaited.
    case undecided
    /// The user agrees: operations find and are found.
    case granted
    /// The user does not agree: nothing goes on air, and no medium scans.
    case denied
}
