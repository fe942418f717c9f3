/// The type of an AD structure (Bluetooth Assigned Numbers, section 2.3).
public struct ADType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The device's discoverability and radio modes: ``AdvertisementFlags``.
    public static let flags = ADType(rawValue: 0x01)
    /// Some of the device's services, 2 bytes each; there are more.
    public static let incompleteUUIDs16 = ADType(rawValue: 0x02)
    /// All of the device's services that have 2 bytes.
    public static let completeUUIDs16 = ADType(rawValue: 0x03)
    /// Some of the device's services, 4 bytes each; there are more.
    public static let incompleteUUIDs32 = ADType(rawValue: 0x04)
    /// All of the device's services that have 4 bytes.
    public static let completeUUIDs32 = ADType(rawValue: 0x05)
    /// Some of the device's services, 16 bytes each; there are more.
    public static let incompleteUUIDs128 = ADType(rawValue: 0x06)
    /// All of the device's services that have 16 bytes.
    public static let completeUUIDs128 = ADType(rawValue: 0x07)
    /// The beginning of the device's name, UTF-8.
    public static let shortenedLocalName = ADType(rawValue: 0x08)
    /// The device's whole name, UTF-8.
    public static let completeLocalName = ADType(rawValue: 0x09)
    /// The power at the antenna, one byte: ``ADStructure/txPowerDBm``.
    public static let txPowerLevel = ADType(rawValue: 0x0A)
    /// A service of 2 bytes, and its data: ``ADStructure/serviceData``.
    public static let serviceData16 = ADType(rawValue: 0x16)
    /// A service of 4 bytes, and its data: ``ADStructure/serviceData``.
    public static let serviceData32 = ADType(rawValue: 0x20)
    /// A service of 16 bytes, and its data: ``ADStructure/serviceData``.
    public static let serviceData128 = ADType(rawValue: 0x21)
    /// A company of 2 bytes, and the data of its devices: ``ADStructure/manufacturerData``.
    public static let manufacturerData = ADType(rawValue: 0xFF)

    /// The number of bytes of each UUID in a list of this type; `nil` for other types.
    var listedUUIDByteCount: Int? {
        switch self {
        case .incompleteUUIDs16, .completeUUIDs16: 2
        case .incompleteUUIDs32, .completeUUIDs32: 4
        case .incompleteUUIDs128, .completeUUIDs128: 16
        default: nil
        }
    }

    /// The number of bytes of the UUID before the data; `nil` for other types.
    var serviceDataUUIDByteCount: Int? {
        switch self {
        case .serviceData16: 2
        case .serviceData32: 4
        case .serviceData128: 16
        default: nil
        }
    }
}
