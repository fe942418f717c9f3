import Glibc
import Testing
import VirtualRoom

/// Tests of tails, measured as the difference between a room and the open field: both have the same direct
/// sound.
@Suite struct ReverberationTests {
    static let room = Room(from: [0, 0], to: [6, 4], heightMeters: 2.5, rt60Seconds: 0.4)

    /// A click with all the band's frequencies.
    static let impulse: [Float] = [0, 0, 0, 1]

    static func tailAndDirect(
        _ plan: FloorPlan, _ places: [SIMD3<Double>], seed: UInt64, seconds: Double = 0.8
    ) -> (tail: [Float], direct: [Float]) {
        let all = AirRun(places, in: plan, seed: seed).heard(impulse, seconds: seconds)[1]
        let direct = AirRun(places).heard(impulse, seconds: seconds)[1]
        return (zip(all, direct).map { $0 - $1 }, direct)
    }

    /// Schroeder's decay from −5 to −25 dB, of the mean over 30 rooms, is right within 3 %. One tail's slope
    /// spreads by about 4 % (some 160 independent values in a decay constant's band), the mean of 30 by 0.7
    /// %.
    @Test(arguments: [0.25, 0.4, 1.0]) func decaysAsAsked(rt60Seconds: Double) {
        var plan = Self.room
        plan.rt60Seconds = rt60Seconds
        var decay = [Double](repeating: 0, count: Int(2 * rt60Seconds * 48_000) / 2400 * 2400)
        for seed in 0..<30 {
            let tail = Self.tailAndDirect(
                FloorPlan(rooms: [plan]), [[1, 1, 1], [4, 3, 1]], seed: UInt64(seed),
                seconds: 2 * rt60Seconds
            ).tail
            for i in decay.indices { decay[i] += Double(tail[i]) * Double(tail[i]) }
        }
        for i in decay.indices.reversed().dropFirst() { decay[i] += decay[i + 1] }
        let start = decay.firstIndex { $0 < decay[0] * pow(10, -0.5) }!
        let end = decay.firstIndex { $0 < decay[0] * pow(10, -2.5) }!
        #expect(abs(Double(end - start) / 48_000 * 3 / rt60Seconds - 1) < 0.03)
    }

    /// The formula is DRR = (r_c / r)² e^{13.8 r / (c T)}, with r_c = 0.057 √(V / T), and the direct path's
    /// absorption by air. The mean is over 40 rooms. A room's energy spreads by 0.3 dB, the mean by 0.05 dB;
    /// the bound is four of these.
    @Test(arguments: [1.0, 2, 4]) func directOverReverberantFallsWithDistance(meters: Double) {
        let places: [SIMD3<Double>] = [[1, 1, 1], [1 + meters, 1, 1]]
        var (reverberant, direct) = (0.0, 0.0)
        for seed in 0..<40 {
            let parts = Self.tailAndDirect(FloorPlan(rooms: [Self.room]), places, seed: UInt64(100 + seed))
            reverberant += energy(parts.tail)
            direct += energy(parts.direct)
        }
        let critical = 0.05685 * (60.0 / 0.4).squareRoot()
        let expected =
            20 * log10(critical / meters) + decibels(exp(13.8155 * meters / (343 * 0.4))) - 0.486
            * (meters - 1)
        #expect(abs(decibels(direct / reverberant) - expected) < 0.2)
    }

    /// One tail serves both directions; another pair has another tail.
    @Test func isTheSameBothWays() {
        let plan = FloorPlan(rooms: [Self.room])
        let places: [SIMD3<Double>] = [[1, 1, 1], [4, 3, 1], [2, 3, 1]]
        let there = AirRun(places, in: plan).heard(Self.impulse, from: 0, seconds: 0.5)
        let back = AirRun(places, in: plan).heard(Self.impulse, from: 1, seconds: 0.5)
        #expect(zip(there[1], back[0]).allSatisfy { abs($0 - $1) < 1e-7 })
        let correlation = zip(there[1], there[2]).reduce(0.0) { $0 + Double($1.0 * $1.1) }
        #expect(abs(correlation) < 0.3 * (energy(there[1]) * energy(there[2])).squareRoot())
    }

    /// After its end the tail is silent, to the last bit.
    @Test func ends() {
        let heard = AirRun([[1, 1, 1], [4, 3, 1]], in: FloorPlan(rooms: [Self.room])).heard(
            Self.impulse, seconds: 1.2)[1]
        #expect(energy(heard[..<4800]) > 0)
        #expect(heard[43_200...].allSatisfy { $0 == 0 })
    }
}
