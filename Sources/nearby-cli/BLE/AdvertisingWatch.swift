import BLEMedium

/// Derives from HCI packets a controller's advertising address and whether it advertises. A value type.
struct AdvertisingWatch: Sendable {
    private(set) var address: RadioAddress?
    private(set) var isOnAir = false
    private var isAsked = false

    mutating func note(_ packet: HCIPacket, _ direction: HCIPacket.Direction) {
        switch (packet.kind, direction) {
        case (.command, .toController):
            guard packet.bytes.count >= 3 else { return }
            command(
                HCICommand.Code(rawValue: UInt16(packet.bytes[0]) | UInt16(packet.bytes[1]) << 8),
                Array(packet.bytes.dropFirst(3)))
        case (.event, .fromController):
            guard case .commandComplete(let code, _, let returned)? = HCIEvent(packet.bytes),
                code == .enableAdvertising || code == .enableSets
            else { return }
            isOnAir = isAsked && returned.first == 0
        default: break
        }
    }

    private mutating func command(_ code: HCICommand.Code, _ parameters: [UInt8]) {
        switch code {
        case .setRandomAddress where parameters.count == 6: address = RadioAddress(random: parameters[...])
        case .setAddressOfSet where parameters.count == 7:
            address = RadioAddress(random: parameters.dropFirst())
        case .enableAdvertising, .enableSets: isAsked = parameters.first == 1
        default: break
        }
    }
}
