/// What carries tokens.
public enum Medium: String, Sendable, Hashable, CaseIterable, Comparable {
    case audio, ble

    public static func < (a: Medium, b: Medium) -> Bool { a.rawValue < b.rawValue }
}
