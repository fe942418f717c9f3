/// A medium that carries tokens.
public enum Medium: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Sound, and Bluetooth Low Energy. The raw values are names in requests to a server.
    case audio, ble

    public static func < (a: Medium, b: Medium) -> Bool { a.rawValue < b.rawValue }
}
