import AcousticModem
import Glibc
import TestSupport
import Testing
import VirtualRoom

/// Prints and bounds the cost of a minute of room time in processor seconds of the thread, so that other work
/// counts little. It was 0.07 to 0.09 s if all devices stand, and 0.22 to 0.29 s with five walkers, depending
/// on the machine's other work. The bounds leave room for a slower machine. Both are well under the second
/// that air and receiver may take together.
@Suite struct CostTests {
    /// Returns processor seconds. Twenty devices in two rooms send, one after the other, a frame every second
    /// and a half. Receivers listen if no device walks.
    private static func cost(walkers: Int, seconds: Int) throws -> (air: Double, receivers: Double) {
        let plan = FloorPlan(
            rooms: [Room(from: [0, 0], to: [8, 6]), Room(from: [8.2, 0], to: [14, 6])],
            openings: [Opening(from: [8.1, 2], to: [8.1, 3])])
        let devices = (0..<20).map { n in
            let place: SIMD3<Double> = [0.5 + 0.6 * Double(n), 0.5 + Double(n % 5), 1]
            let there = place + [1, 0.3, 0]
            return AirDevice(
                route: n < walkers
                    ? Route((0...60).map { .init(seconds: Double($0), place: $0 % 2 == 0 ? place : there) })
                    : .fixed(place))
        }
        var air = Air(
            plan, devices: devices, programmes: [.television(at: [3, 5, 1], seed: 1)],
            ambience: Ambience(clicksPerSecond: 1), seed: 1)
        let frame = try Transmitter(profile: .dsss).waveform(of: [1, 2, 3, 4, 5, 6, 7, 8])
        let padded = frame + [Float](repeating: 0, count: 30 * 2400 - frame.count)
        var receivers = [Receiver](repeating: Receiver(profiles: [.dsss]), count: 20)
        var heard: [[Float]] = []
        var (inAir, inReceivers) = (0.0, 0.0)
        for block in 0..<seconds * 20 {
            let (frame, part) = block.quotientAndRemainder(dividingBy: 30)
            var played = [[Float]?](repeating: nil, count: 20)
            if part < 24 { played[frame % 20] = Array(padded[part * 2400..<(part + 1) * 2400]) }
            let start = threadSeconds()
            air.step(played, into: &heard)
            let middle = threadSeconds()
            for device in 0..<20 where walkers == 0 { _ = receivers[device].process(heard[device]) }
            inAir += middle - start
            inReceivers += threadSeconds() - middle
        }
        let deviceMinutes = 20 * Double(seconds) / 60
        return (inAir / deviceMinutes, inReceivers / deviceMinutes)
    }

    /// Returns the processor time of this thread alone.
    static func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
    }

    @Test(arguments: [0, 5]) func aMinuteOfADeviceCostsAFractionOfASecond(walkers: Int) throws {
        let cost = try Self.cost(walkers: walkers, seconds: Trials.count(6, many: 30))
        print("\(walkers) walkers: air \(cost.air) s, receivers \(cost.receivers) s a device-minute")
        #expect(cost.air < (walkers == 0 ? 0.15 : 0.5))
    }
}
