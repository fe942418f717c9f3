/// What an AD structure holds (Bluetooth Assigned Numbers, section 2.3).
public struct ADType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let flags = ADType(rawValue: 0x01)
    public static let incompleteUUIDs16 = ADType(rawValue: 0x02)
    public static let completeUUIDs16 = ADType(rawValue: 0x03)
    public static let incompleteUUIDs32 = ADType(rawValue: 0x04)
    public static let completeUUIDs32 = ADType(rawValue: 0x05)
    public static let incompleteUUIDs128 = ADType(rawValue: 0x06)
    public static let completeUUIDs128 = ADType(rawValue: 0x07)
    public static let shortenedLocalName = ADType(rawValue: 0x08)
    public static let completeLocalName = ADType(rawValue: 0x09)
    public static let txPowerLevel = ADType(rawValue: 0x0A)
    public static let serviceData16 = ADType(rawValue: 0x16)
    public static let serviceData32 = ADType(rawValue: 0x20)
    public static let serviceData128 = ADType(rawValue: 0x21)
    public static let manufacturerData = ADType(rawValue: 0xFF)

    /// Of each UUID in a list of this type; nil for other types.
    var listedUUIDByteCount: Int? {
        switch self {
        case .incompleteUUIDs16, .completeUUIDs16: 2
        case .incompleteUUIDs32, .completeUUIDs32: 4
        case .incompleteUUIDs128, .completeUUIDs128: 16
        default: nil
        }
    }

    /// Of the UUID before the data; nil for other types.
    var serviceDataUUIDByteCount: Int? {
        switch self {
        case .serviceData16: 2
        case .serviceData32: 4
        case .serviceData128: 16
        default: nil
        }
    }
}
