import Beacons
import Nearby

/// How tokens go by radio.
public struct BLEMediumSettings: Sendable, Hashable {
    /// Whose data tokens are.
    public var service: BluetoothUUID
    /// In the form that older radios do not hear, and that holds sealed frames of any length, where the controller has it.
    public var isExtended: Bool
    /// How often the engine is told of a frame that is heard again and again.
    public var tellsEvery: Duration

    /// By default under the standard number, in the form that all radios hear, and told once a second.
    public init(
        service: BluetoothUUID = .nearby, isExtended: Bool = false, tellsEvery: Duration = .seconds(1)
    ) {
        (self.service, self.isExtended, self.tellsEvery) = (service, isExtended, tellsEvery)
    }

    /// What one frame is in an advertisement.
    func content(_ frame: [UInt8]) -> RadioOrder.Advertising.Content {
        let advertisement = TokenAdvertisement(service)
        return .init(
            plain: advertisement.data(of: frame, room: 31),
            bare: advertisement.data(of: frame, room: 28, hasFlags: false),
            extended: advertisement.data(of: frame, room: 251))
    }
}
