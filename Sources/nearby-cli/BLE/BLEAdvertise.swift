import ArgumentParser
import BLEMedium
import CommandOutput
import Nearby
import Synchronization

extension BLECommand {
    struct Advertise: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "advertise", abstract: "Put a Nearby token or a beacon on air, until Ctrl-C.",
            discussion: """
                Nobody can answer it, and it comes from an address drawn by chance, which is said on standard error. When this ends \
                nothing is on air any more, whatever ends it but a kill; then a controller goes on for 30 s at most, an old one until it \
                is used again.

                Under mgmt:N the kernel draws the address and does not tell it; it adds 3 bytes of flags, which leaves 28 of 31.

                  nearby ble advertise --eddystone-url https://example.com
                  nearby ble scan --beacons
                """)

        @OptionGroup var payload: PayloadOptions

        @Flag(help: "In the form of up to 251 bytes, which radios of before 2016 do not hear.")
        var extended = false

        @OptionGroup var options: RadioOptions

        func run() async throws {
            let name = try options.radio.resolved()
            if case .monitor = name {
                throw CommandFailure(.usage, "\(name) only hears: take mgmt:N or hci-user:N")
            }
            let payload = try payload.payload()
            let content = try payload.content(for: name, isExtended: extended)
            let watch = AdvertisingWatcher()
            let radio = RadioRun(
                name: name, role: .broadcast, options: options, packet: { watch.note($0, $1) })
            let advertising = RadioOrder.Advertising([content], epoch: 1, isExtended: extended)
            try await radio(RadioOrder(advertising: advertising)) { news in
                if case .works = news { try tell(payload, on: name, watch.state) }
                return true
            }
        }

        /// Reports the payload and its address on standard error. Throws: 69 if the controller does not
        /// advertise.
        private func tell(
            _ payload: AirPayload, on name: TransportName, _ watch: AdvertisingWatch
        ) throws(CommandFailure) {
            if case .management = name {
                StandardError.write(
                    "on air at \(name): \(payload.words), from an address that the kernel draws")
                return
            }
            guard watch.isOnAir, let address = watch.address else {
                throw CommandFailure(
                    .unavailable,
                    "the controller of \(name) has no extended advertising: leave --extended out")
            }
            StandardError.write("on air at \(name): \(payload.words), from \(address) (\(address.kindName))")
        }
    }
}

/// An ``AdvertisingWatch`` that the radio's thread updates.
private final class AdvertisingWatcher: Sendable {
    private let watch = Mutex(AdvertisingWatch())

    var state: AdvertisingWatch { watch.withLock { $0 } }

    func note(_ packet: HCIPacket, _ direction: HCIPacket.Direction) {
        watch.withLock { $0.note(packet, direction) }
    }
}
