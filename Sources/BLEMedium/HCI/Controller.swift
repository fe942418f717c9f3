import Nearby

/// The state of a controller: the settings that it has been given and has accepted.
struct ControllerState: Sendable, Hashable {
    /// `nil` until it is known. Old and new commands are never mixed: after a command of one kind, a
    /// controller refuses those of the other.
    var hasExtended: Bool?
    var commands: [UInt8]?
    var isEventMaskSet = false
    var isLEEventMaskSet = false
    /// The random address of the radio itself.
    var address: RadioAddress?
    /// The address of its advertisements; with the old commands it equals ``address``.
    var advertisingAddress: RadioAddress?
    /// The epoch of the tokens for which ``advertisingAddress`` was drawn.
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

    /// Returns true if the bits of supported commands include all extended commands that are used (Core 5.4,
    /// volume 4, part E §6.27).
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

    /// The number of the only advertising set that is used.
    private static let set: UInt8 = 0
    private static let allChannels: UInt8 = 7
    private static let noPeer = [UInt8](repeating: 0, count: 7)
    private static let fromRandom: UInt8 = 1

    /// The direction that fails without this step; `nil` if both do.
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
        // Bit 61: the events of Low Energy.
        case .setEventMask: HCICommand(.setEventMask, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x00, 0x20])
        // Bits 1, 12, 17: reports, extended reports, the end of an advertising set.
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
                // Operation 3: the data is complete; 1: the controller should not fragment it needlessly.
                ? HCICommand(.setDataOfSet, [ControllerStep.set, 3, 1, UInt8(data.count)] + data)
                : HCICommand(
                    .setAdvertisingData,
                    [UInt8(data.count)] + data + [UInt8](repeating: 0, count: 31 - data.count))
        case .enableAdvertising(let isOn):
            isExtended ? ControllerStep.enableSet(isOn) : HCICommand(.enableAdvertising, [isOn ? 1 : 0])
        case .setScan(let scan): ControllerStep.scan(scan, isExtended: isExtended)
        // The filter of duplicates is off: it would hide that a sender is still there, and its signal
        // strength.
        case .enableScan(let isOn):
            isExtended
                ? HCICommand(.enableExtendedScan, [isOn ? 1 : 0, 0, 0, 0, 0, 0])
                : HCICommand(.enableScan, [isOn ? 1 : 0, 0])
        }
    }

    private static func legacy(_ parameters: ControllerState.AdvertisingParameters) -> HCICommand {
        let slots = [UInt8](UInt16(parameters.interval.slots))
        // Type 3: non-connectable and non-scannable.
        return HCICommand(
            .setAdvertisingParameters, slots + slots + [3, fromRandom] + noPeer + [allChannels, 0])
    }

    private static func ofSet(_ parameters: ControllerState.AdvertisingParameters) -> HCICommand {
        let slots = Array([UInt8](UInt32(parameters.interval.slots)).prefix(3))
        // Properties 0x10: the old form. Power 0x7F: the controller chooses. Both PHYs are of 1 Mbit/s.
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

    /// Returns the command for a passive scan: it requests nothing from senders, so nobody notices the
    /// scanner.
    private static func scan(_ scan: RadioOrder.Scan, isExtended: Bool) -> HCICommand {
        let (interval, window) = ([UInt8](UInt16(scan.interval.slots)), [UInt8](UInt16(scan.window.slots)))
        return isExtended
            ? HCICommand(.setExtendedScanParameters, [fromRandom, 0, 1, 0] + interval + window)
            : HCICommand(.setScanParameters, [0] + interval + window + [fromRandom, 0])
    }

    /// Changes `state` to the state after this step.
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
