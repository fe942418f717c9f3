import BLEMedium
import Glibc
import Nearby
import Synchronization

/// A benchmark of new tokens on one of the kernel's adapters, one after the other. It writes all HCI packets
/// of the kernel's monitor to a file. Tools/reference/rotation.py checks the order of commands.
struct RotationBench {
    private static let patience = Duration.seconds(10)

    var radio: String
    var count: Int
    var file: String
    /// True if it replaces an advertisement on air instead of removing it first, which is the wrong way.
    var isReplacing: Bool

    private var adapter: Int { Int(radio.split(separator: ":").last ?? "") ?? 0 }

    func run() async throws {
        let capture = try Capture(file)
        let monitor = try BLERadio(
            .monitor(adapter),
            .init(heard: { _, _ in }, found: { _, _, _ in }, packet: { capture.note($0, $1) }))
        monitor.carryOut(RadioOrder(scan: .foreground))
        try await Task.sleep(for: .milliseconds(500))
        let start = ContinuousClock.now
        if isReplacing { try await replace(capture) } else { try await rotate(capture) }
        let seconds = start.duration(to: .now) / .seconds(1)
        try await Task.sleep(for: .milliseconds(300))
        monitor.carryOut(.idle)
        await monitor.silence()
        print("\(radio) \(isReplacing ? "replaced" : "rotated") \(count) tokens in \(seconds) s")
    }

    private func token(_ number: UInt64) -> Token { Token(bits: 0x5254 << 48 | number) }

    private func rotate(_ capture: Capture) async throws {
        let medium = try BLEMedium(TransportName(radio))
        for number in 1...UInt64(count) {
            let before = capture.enableCount
            await medium.carryOut(
                MediumAssignment(
                    broadcast: .init([.token(token(number))], cadence: .continuous), isScanning: true))
            try await capture.waitForMore(
                than: before, within: RotationBench.patience, "\(radio): token \(number)")
        }
        await medium.carryOut(.idle)
    }

    private func replace(_ capture: Capture) async throws {
        let kernel = try KernelTools.management()
        defer { close(kernel) }
        for number in 1...UInt64(count) {
            let data =
                TokenAdvertisement().data(of: token(number).bytes, room: 28, hasFlags: false) ?? []
            let before = capture.enableCount
            // The parameters are instance 1, no flags, until it is removed.
            let command = ManagementCommand(
                .addAdvertising, adapter: UInt16(adapter),
                [1, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(data.count), 0] + data)
            _ = write(kernel, command.bytes, command.bytes.count)
            try await capture.waitForMore(
                than: before, within: RotationBench.patience, "\(radio): token \(number)")
        }
        let removal = ManagementCommand(.removeAdvertising, adapter: UInt16(adapter), [1])
        _ = write(kernel, removal.bytes, removal.bytes.count)
    }
}

/// A capture of packets into a file, which counts how often advertising was switched on.
private final class Capture: Sendable {
    private struct State {
        var isEnabling = false
        var enableCount = 0
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    init(_ file: String) throws {
        descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else {
            throw BLEError(.unavailable, "\(file): \(String(cString: strerror(errno)))")
        }
        _ = write(descriptor, Btsnoop.header, Btsnoop.header.count)
    }

    deinit { close(descriptor) }

    var enableCount: Int { state.withLock { $0.enableCount } }

    func note(_ packet: HCIPacket, _ direction: HCIPacket.Direction) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let microseconds = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
        let record = Btsnoop.record(packet, direction, microsecondsSince1970: microseconds)
        _ = write(descriptor, record, record.count)
        state.withLock { state in
            switch packet.kind {
            case .command where packet.bytes.count > 3:
                let code = HCICommand.Code(rawValue: UInt16(packet.bytes[0]) | UInt16(packet.bytes[1]) << 8)
                if code == .enableAdvertising || code == .enableSets {
                    state.isEnabling = packet.bytes[3] == 1
                }
            case .event:
                guard case .commandComplete(let code, _, let returned)? = HCIEvent(packet.bytes),
                    code == .enableAdvertising || code == .enableSets, state.isEnabling, returned.first == 0
                else { return }
                state.enableCount += 1
            default: break
            }
        }
    }

    func waitForMore(than count: Int, within time: Duration, _ what: String) async throws {
        let end = ContinuousClock.now + time
        while enableCount <= count {
            guard ContinuousClock.now < end else {
                throw BLEError(.failing, "\(what) is not on air after \(time)")
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
