import ArgumentParser
import BLEMedium
import CommandOutput
import Nearby
import Synchronization

extension BLECommand {
    struct Advertise: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "advertise", abstract: "Advertise a Nearby token or a beacon until Ctrl-C.",
            discussion: """
                The advertisement is not connectable, and its address is random and printed on standard error. It \
                stops when the command ends. If the command is killed, the controller continues for up to 30 s, and \
                an old controller until its next use.

                With mgmt:N the kernel chooses the address and does not report it. It also adds 3 bytes of flags, \
                which leaves 28 bytes of 31.

                  nearby ble advertise --eddystone-url https://example.com
                  nearby ble scan --beacons
                """)

        @OptionGroup var payload: PayloadOptions

        @Flag(
            help:
                "Send an extended advertisement, up to 251 bytes; radios from before 2016 do not receive it.")
        var extended = false

        @OptionGroup var options: RadioOptions

        func run() async throws {
            let name = try options.radio.resolved()
            if case .monitor = name {
                throw CommandFailure(.usage, "\(name) only receives; use mgmt:N or hci-user:N")
            }
            let payload = try payload.payload()
            let content = try payload.content(for: name, isExtended: extended)
            let watch = AdvertisingWatcher()
            let radio = RadioRun(
                name: name, role: .broadcast, options: options, packet: { watch.note($0, $1) })
            let advertising = RadioOrder.Advertising([content], epoch: 1, isExtended: extended)
            try await radio(RadioOrder(advertising: advertising)) { event in
                if case .works = event { try tell(payload, on: name, watch.state) }
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
                    "on air at \(name): \(payload.words), from an address that the kernel chooses")
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
