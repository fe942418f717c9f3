import Nearby

/// A controller without a radio, for tests. A value that takes commands and time, and returns answers and
/// frames. It enforces the specification's prohibitions, so that a host that breaks them is refused.
package struct VirtualController: Sendable {
    /// A frame on the simulated channel.
    package struct Frame: Sendable, Hashable {
        package var address: RadioAddress
        package var data: [UInt8]
        package var isExtended: Bool

        package init(_ address: RadioAddress, _ data: [UInt8], isExtended: Bool = false) {
            (self.address, self.data, self.isExtended) = (address, data, isExtended)
        }
    }

    private struct Scan {
        var interval = Duration.milliseconds(10)
        var window = Duration.milliseconds(10)
        var began: Instant?
    }

    /// The kind of commands that it received first: old or new ones.
    private enum Manner { case old, new }

    private static let refused: UInt8 = 0x0C
    private static let unknown: UInt8 = 0x01

    package let hasExtended: Bool
    private var manner: Manner?
    private var address: RadioAddress?
    private var advertisingAddress: RadioAddress?
    private var interval: Duration?
    private var data: [UInt8] = []
    private var sendsExtended = false
    private var nextFrame: Instant?
    private var scan = Scan()
    private var random: any RandomNumberGenerator & Sendable

    package init(
        hasExtended: Bool = true, random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        (self.hasExtended, self.random) = (hasExtended, random)
    }

    package var isAdvertising: Bool { nextFrame != nil }
    package var isScanning: Bool { scan.began != nil }
    /// The time at which it sends the next frame.
    package var nextDeadline: Instant? { nextFrame }

    /// Carries out a command and returns the answer.
    package mutating func take(_ command: HCICommand, now: Instant) -> HCIPacket {
        let (status, returned) = carryOut(command, now)
        let answer = [1] + [UInt8](command.code.rawValue) + [status] + returned
        return HCIPacket(.event, [0x0E, UInt8(answer.count)] + answer)
    }

    /// Returns the frame that it sends at `now`, if any.
    package mutating func advance(to now: Instant) -> Frame? {
        guard let due = nextFrame, due <= now, let interval else { return nil }
        // Every frame is delayed by up to 10 ms, drawn anew (volume 6, part B §4.4.2.2).
        nextFrame = due + interval + .microseconds(Int64(random.next() % 10_000))
        return (manner == .new ? advertisingAddress : address).map {
            Frame($0, data, isExtended: sendsExtended)
        }
    }

    /// Returns the report of a frame on the channel; `nil` if it does not listen just then.
    package func hear(_ frame: Frame, rssiDBm: Int = -50, now: Instant) -> HCIPacket? {
        guard let began = scan.began, frame.data.count < 230 else { return nil }
        let since = began.duration(to: now)
        let phase = since - scan.interval * Int(since / scan.interval)
        guard phase < scan.window, manner == .new || !frame.isExtended else { return nil }
        let rssi = UInt8(bitPattern: Int8(rssiDBm))
        let who = [frame.address.kind.rawValue] + frame.address.wire
        var report: [UInt8]
        if manner == .new {
            let type: UInt8 = frame.isExtended ? 0 : 0x10
            report = [0x0D, 1, type, 0] + who
            report += [1, frame.isExtended ? 1 : 0, frame.isExtended ? 0 : 0xFF, 0x7F, rssi]
            report += [UInt8](repeating: 0, count: 9) + [UInt8(frame.data.count)] + frame.data
        } else {
            report = [0x02, 1, 3] + who + [UInt8(frame.data.count)] + frame.data + [rssi]
        }
        return HCIPacket(.event, [0x3E, UInt8(report.count)] + report)
    }

    private mutating func carryOut(_ command: HCICommand, _ now: Instant) -> (UInt8, [UInt8]) {
        let bytes = command.parameters
        if let manner = VirtualController.manner(of: command.code) {
            guard self.manner ?? manner == manner, manner == .old || hasExtended else {
                return (VirtualController.refused, [])
            }
            self.manner = manner
        }
        switch command.code {
        case .reset:
            self = VirtualController(hasExtended: hasExtended, random: random)
        case .setEventMask, .setLEEventMask: break
        case .readCommands: return (0, supportedCommands)
        case .readLEFeatures: return (0, [0, hasExtended ? 0x10 : 0, 0, 0, 0, 0, 0, 0])
        case .setRandomAddress:
            guard !isScanning, manner == .new || !isAdvertising else {
                return (VirtualController.refused, [])
            }
            address = RadioAddress(.random, wire: bytes[...])
        case .setAddressOfSet:
            guard !isAdvertising, interval != nil else { return (VirtualController.refused, []) }
            advertisingAddress = RadioAddress(.random, wire: bytes[1...])
        case .setAdvertisingParameters, .setParametersOfSet:
            guard !isAdvertising else { return (VirtualController.refused, []) }
            let isNew = command.code == .setParametersOfSet
            let slots = isNew ? Int(bytes[3]) | Int(bytes[4]) << 8 : Int(bytes[0]) | Int(bytes[1]) << 8
            interval = .microseconds(Int64(slots * 625))
            sendsExtended = isNew && bytes[1] & 0x10 == 0
            return (0, isNew ? [0] : [])
        case .setAdvertisingData: data = Array(bytes[1...].prefix(Int(bytes[0])))
        case .setDataOfSet: data = Array(bytes[4...].prefix(Int(bytes[3])))
        case .enableAdvertising, .enableSets:
            guard bytes[0] == 0 || interval != nil,
                bytes[0] == 0 || address != nil || advertisingAddress != nil
            else { return (VirtualController.refused, []) }
            nextFrame = bytes[0] == 0 ? nil : now
        case .setScanParameters, .setExtendedScanParameters:
            guard !isScanning else { return (VirtualController.refused, []) }
            let at = command.code == .setScanParameters ? 1 : 4
            scan.interval = .microseconds(Int64((Int(bytes[at]) | Int(bytes[at + 1]) << 8) * 625))
            scan.window = .microseconds(Int64((Int(bytes[at + 2]) | Int(bytes[at + 3]) << 8) * 625))
        case .enableScan, .enableExtendedScan: scan.began = bytes[0] == 0 ? nil : now
        default: return (VirtualController.unknown, [])
        }
        return (0, [])
    }

    private static func manner(of code: HCICommand.Code) -> Manner? {
        switch code.rawValue {
        case 0x2006...0x200C: .old
        case 0x2035...0x203D, 0x2041, 0x2042: .new
        default: nil
        }
    }

    private var supportedCommands: [UInt8] {
        var bits = [UInt8](repeating: 0, count: 64)
        if hasExtended { (bits[36], bits[37]) = (0b0011_1110, 0b0110_0000) }
        return bits
    }
}
