import BLEMedium
import Nearby

/// A host before a controller, on a clock of its own. It records everything between them.
struct Scene {
    var host: HCIHost
    var controller: VirtualController
    private(set) var now = Instant.start
    private(set) var commands: [(time: Instant, command: HCICommand, status: UInt8)] = []
    private(set) var found: [HostAction] = []
    private(set) var heard: [AdvertisingReport] = []
    private(set) var frames: [(time: Instant, frame: VirtualController.Frame)] = []
    private(set) var reopened: [String] = []
    /// Returns the controller's answer to a command that it does not carry out; `nil` if it carries it out.
    var instead: (HCICommand) -> HCIPacket?? = { _ in .none }

    init(hasExtended: Bool = false, seed: UInt64 = 1) {
        host = HCIHost(random: TestRandom(seed))
        controller = VirtualController(hasExtended: hasExtended, random: TestRandom(seed + 1))
    }

    mutating func carryOut(_ order: RadioOrder) { perform(host.carryOut(order, now: now)) }
    mutating func stop() { perform(host.stop(now: now)) }
    mutating func receive(_ packet: HCIPacket) { perform(host.received(packet, now: now)) }

    mutating func run(for time: Duration) {
        let end = now + time
        while true {
            let due = [host.nextDeadline, controller.nextDeadline].compactMap { $0 }.min() ?? end
            guard due <= end else { break }
            now = max(now, due)
            while let frame = controller.advance(to: now) { frames.append((now, frame)) }
            if let due = host.nextDeadline, due <= now { perform(host.advance(to: now)) }
            if due == end { break }
        }
        now = end
    }

    /// Delivers another sender's frame.
    mutating func air(_ frame: VirtualController.Frame) {
        if let packet = controller.hear(frame, now: now) { receive(packet) }
    }

    private mutating func perform(_ actions: [HostAction]) {
        for action in actions {
            switch action {
            case .send(let bytes):
                let code = HCICommand.Code(rawValue: UInt16(bytes[1]) | UInt16(bytes[2]) << 8)
                let command = HCICommand(code, Array(bytes.dropFirst(4)))
                let answer = instead(command) ?? controller.take(command, now: now)
                commands.append(
                    (now, command, answer.map { $0.bytes.count > 5 ? $0.bytes[5] : 0xFF } ?? 0xFF))
                if let answer { receive(answer) }
            case .heard(let report): heard.append(report)
            case .found: found.append(action)
            case .reopen(let words): reopened.append(words)
            }
        }
    }
}

/// SplitMix64, so that a failure can be reproduced.
struct TestRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension RadioOrder {
    /// Returns an order to send such a token and to listen.
    static func token(_ number: UInt64, isExtended: Bool = false, scan: Scan? = .foreground) -> RadioOrder {
        let frame = Token(bits: number).bytes
        let advertisement = TokenAdvertisement()
        return RadioOrder(
            advertising: Advertising(
                [
                    .init(
                        plain: advertisement.data(of: frame, room: 31),
                        bare: advertisement.data(of: frame, room: 28, hasFlags: false),
                        extended: advertisement.data(of: frame, room: 251))
                ], epoch: number, isExtended: isExtended), scan: scan)
    }
}
