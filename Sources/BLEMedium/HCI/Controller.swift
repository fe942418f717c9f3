import Nearby

/// What a controller has been told, and has taken.
struct ControllerState: Sendable, Hashable {
    /// nil: not known yet. Old and new commands are never mixed: a controller refuses the one after the other.
    var hasExtended: Bool?
    var commands: [UInt8]?
    var isEventMaskSet = false
    var isLEEventMaskSet = false
    /// Of the radio itself.
    var address: RadioAddress?
    /// Of its advertisements: with the old commands ``address``.
    var advertisingAddress: RadioAddress?
    /// Whose tokens ``advertisingAddress`` was drawn for.
    var epoch: UInt64?
    var advertisingParameters: AdvertisingParameters?
    var data: [UInt8]?
    var isAdvertising = false
    var scan: RadioOrder.Scan?
    var isScanning = false

    struct AdvertisingParameters: Sendable, Hashable {
        var interval: Duration
        var isExtended: Bool
    }

    /// Whether these support all of the extended commands that are used (Core 5.4, volume 4, part E §6.27).
    static func hasExtendedCommands(_ bits: [UInt8]) -> Bool {
        bits.count > 37 && bits[36] & 0b10_1110 == 0b10_1110 && bits[37] & 0b110_0000 == 0b110_0000
    }
}

/// One change of a ``ControllerState``, and its command.
enum ControllerStep: Sendable, Hashable {
    case reset, readCommands, readFeatures, setEventMask, setLEEventMask
    case setAddress(RadioAddress)
    case setAdvertisingAddress(RadioAddress, epoch: UInt64)
    case setAdvertisingParameters(ControllerState.AdvertisingParameters)
    case setData([UInt8])
    case enableAdvertising(Bool)
    case setScan(RadioOrder.Scan)
    case enableScan(Bool)

    /// The one set of advertisements that is used.
    private static let set: UInt8 = 0
    private static let allChannels: UInt8 = 7
    private static let noPeer = [UInt8](repeating: 0, count: 7)
    private static let fromRandom: UInt8 = 1

    /// What fails without it.
    var role: Role? {
        switch self {
        case .setAdvertisingAddress, .setAdvertisingParameters, .setData, .enableAdvertising: .broadcast
        case .setScan, .enableScan: .scan
        default: nil
        }
    }

    func command(isExtended: Bool) -> HCICommand {
        switch self {
        case .reset: HCICommand(.reset)
        case .readCommands: HCICommand(.readCommands)
        case .readFeatures: HCICommand(.readLEFeatures)
        // Bit 61: what is of low energy.
        case .setEventMask: HCICommand(.setEventMask, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x00, 0x20])
        // Bits 1, 12, 17: reports, extended reports, the end of a set.
        case .setLEEventMask: HCICommand(.setLEEventMask, [0x02, 0x10, isExtended ? 0x02 : 0, 0, 0, 0, 0, 0])
        case .setAddress(let address): HCICommand(.setRandomAddress, address.wire)
        case .setAdvertisingAddress(let address, _):
            isExtended
                ? HCICommand(.setAddressOfSet, [ControllerStep.set] + address.wire)
                : HCICommand(.setRandomAddress, address.wire)
        case .setAdvertisingParameters(let parameters):
            isExtended ? ControllerStep.ofSet(parameters) : ControllerStep.legacy(parameters)
        case .setData(let data):
            isExtended
                // Operation 3: all of it; 1: not to be cut needlessly.
                ? HCICommand(.setDataOfSet, [ControllerStep.set, 3, 1, UInt8(data.count)] + data)
                : HCICommand(
                    .setAdvertisingData,
                    [UInt8(data.count)] + data + [UInt8](repeating: 0, count: 31 - data.count))
        case .enableAdvertising(let isOn):
            isExtended ? ControllerStep.enableSet(isOn) : HCICommand(.enableAdvertising, [isOn ? 1 : 0])
        case .setScan(let scan): ControllerStep.scan(scan, isExtended: isExtended)
        // Without the filter of duplicates: it would hide that somebody is still there, and how well heard.
        case .enableScan(let isOn):
            isExtended
                ? HCICommand(.enableExtendedScan, [isOn ? 1 : 0, 0, 0, 0, 0, 0])
                : HCICommand(.enableScan, [isOn ? 1 : 0, 0])
        }
    }

    private static func legacy(_ parameters: ControllerState.AdvertisingParameters) -> HCICommand {
        let slots = [UInt8](UInt16(parameters.interval.slots))
        // Type 3: nobody may connect, nobody may ask for more.
        return HCICommand(
            .setAdvertisingParameters, slots + slots + [3, fromRandom] + noPeer + [allChannels, 0])
    }

    private static func ofSet(_ parameters: ControllerState.AdvertisingParameters) -> HCICommand {
        let slots = Array([UInt8](UInt32(parameters.interval.slots)).prefix(3))
        // Properties 0x10: as older radios have it. Power 0x7F: as the controller likes. Both on the PHY of 1 Mbit/s.
        let properties = [UInt8](UInt16(parameters.isExtended ? 0 : 0x10))
        return HCICommand(
            .setParametersOfSet,
            [set] + properties + slots + slots + [allChannels, fromRandom] + noPeer + [
                0, 0x7F, 1, 0, 1, 0, 0,
            ])
    }

    private static func enableSet(_ isOn: Bool) -> HCICommand {
        let longest = Int(RadioOrder.Advertising.longest.inSeconds * 100)
        return HCICommand(.enableSets, [isOn ? 1 : 0, 1, set] + [UInt8](UInt16(isOn ? longest : 0)) + [0])
    }

    /// Passive: it asks nobody for more, so nobody hears that it listens.
    private static func scan(_ scan: RadioOrder.Scan, isExtended: Bool) -> HCICommand {
        let (interval, window) = ([UInt8](UInt16(scan.interval.slots)), [UInt8](UInt16(scan.window.slots)))
        return isExtended
            ? HCICommand(.setExtendedScanParameters, [fromRandom, 0, 1, 0] + interval + window)
            : HCICommand(.setScanParameters, [0] + interval + window + [fromRandom, 0])
    }

    /// What the state is after it.
    func apply(to state: inout ControllerState, returned: ArraySlice<UInt8>) {
        switch self {
        case .reset: state = ControllerState()
        case .readCommands: state.commands = Array(returned)
        case .readFeatures:
            let hasFeature = returned.dropFirst().first.map { $0 & 0x10 != 0 } ?? false
            state.hasExtended = hasFeature && ControllerState.hasExtendedCommands(state.commands ?? [])
        case .setEventMask: state.isEventMaskSet = true
        case .setLEEventMask: state.isLEEventMaskSet = true
        case .setAddress(let address): state.address = address
        case .setAdvertisingAddress(let address, let epoch):
            (state.advertisingAddress, state.epoch) = (address, epoch)
            if state.hasExtended != true { state.address = address }
        case .setAdvertisingParameters(let parameters): state.advertisingParameters = parameters
        case .setData(let data): state.data = data
        case .enableAdvertising(let isOn): state.isAdvertising = isOn
        case .setScan(let scan): state.scan = scan
        case .enableScan(let isOn): state.isScanning = isOn
        }
    }
}
