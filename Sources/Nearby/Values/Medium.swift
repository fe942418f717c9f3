/// What carries tokens.
public enum Medium: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Sound; Bluetooth Low Energy. Raw values are names in requests to a server.
    case audio, ble

    public static func < (a: Medium, b: Medium) -> Bool { a.rawValue < b.rawValue }
}
