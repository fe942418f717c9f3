/// The user's decision whether this device may find others and be found.
public enum Permission: String, Sendable, Hashable {
    /// No one has asked the user yet, or the answer is awaited.
    case undecided
    /// The user agrees: operations find others and are found.
    case granted
    /// The user does not agree: no medium sends or scans.
    case denied
}
