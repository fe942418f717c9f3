import Beacons
import Nearby

/// The settings for tokens on Bluetooth Low Energy.
public struct BLEMediumSettings: Sendable, Hashable {
    /// The UUID of the service whose data the tokens are.
    public var service: BluetoothUUID
    /// True if tokens are sent in the extended form where the controller has it. Older radios do not receive
    /// this form; it holds sealed frames of any length.
    public var isExtended: Bool
    /// The interval at which a frame that is heard again and again is reported to the engine.
    public var tellsEvery: Duration

    /// Creates settings. By default they use the standard service UUID, the form that all radios receive, and
    /// one report a second.
    public init(
        service: BluetoothUUID = .nearby, isExtended: Bool = false, tellsEvery: Duration = .seconds(1)
    ) {
        (self.service, self.isExtended, self.tellsEvery) = (service, isExtended, tellsEvery)
    }

    /// Returns one frame as the data of an advertisement, in each form.
    func content(_ frame: [UInt8]) -> RadioOrder.Advertising.Content {
        let advertisement = TokenAdvertisement(service)
        return .init(
            plain: advertisement.data(of: frame, room: 31),
            bare: advertisement.data(of: frame, room: 28, hasFlags: false),
            extended: advertisement.data(of: frame, room: 251))
    }
}
