import Glibc
import Signal
import Testing
import VirtualRoom

/// Tests of blocks, seeds and noise, which do not concern the physics of propagation.
@Suite struct AirTests {
    private static let plan = FloorPlan(rooms: [Room(from: [0, 0], to: [6, 4], rt60Seconds: 0.4)])

    /// Returns the sound of a speaker that stands, one that walks, a listener, a television, clicks and
    /// noise.
    private static func heard(blockCount: Int, seed: UInt64 = 7) -> [[Float]] {
        let walk = Route([.init(seconds: 0.1, place: [1, 1, 1]), .init(seconds: 1.6, place: [3, 1, 1])])
        let routes = [Route.fixed([1, 3, 1]), walk, .fixed([5, 2, 1])]
        var air = Air(
            plan, devices: routes.map { AirDevice(route: $0) },
            programmes: [.television(at: [0.2, 2, 1], seed: 3)], ambience: Ambience(clicksPerSecond: 10),
            blockCount: blockCount, seed: seed)
        let sound = (0..<2).map { RandomSamples.floats(seed: UInt64($0), 48_000) }
        var all = [[Float]](repeating: [], count: 3)
        var heard: [[Float]] = []
        for block in 0..<96_000 / blockCount {
            let first = block * blockCount
            // The first device sounds from 0 to 1 s, the second from 0.3 s to 1.3 s.
            let played: [[Float]?] = [
                first < 48_000 ? Array(sound[0][first..<first + blockCount]) : nil,
                (14_400..<62_400).contains(first)
                    ? Array(sound[1][first - 14_400..<first - 14_400 + blockCount]) : nil, nil,
            ]
            air.step(played, into: &heard)
            for (index, block) in heard.enumerated() { all[index] += block }
        }
        return all
    }

    @Test func theSameSeedGivesTheSameSound() {
        let once = Self.heard(blockCount: 2400)
        #expect(once == Self.heard(blockCount: 2400))
        #expect(once != Self.heard(blockCount: 2400, seed: 8))
    }

    /// Blocks of 10 ms to 100 ms give the same within rounding, −90 dB.
    @Test(arguments: [480, 960, 4800]) func blocksOfAnyLengthGiveTheSame(blockCount: Int) {
        for (a, b) in zip(Self.heard(blockCount: 2400), Self.heard(blockCount: blockCount)) {
            let difference = energy(zip(a, b).map { $0 - $1 })
            #expect(decibels(difference / energy(a)) < -90)
        }
    }

    /// A copy that is made midstream goes on by itself.
    @Test func isAValue() {
        var air = AirRun([[1, 1, 1], [4, 3, 1]], in: Self.plan).makeAir()
        let sound = RandomSamples.floats(seed: 1, 2400)
        _ = air.step([sound, nil])
        var copy = air
        let other = copy.step([sound, nil])
        _ = copy.step([sound, sound])
        #expect(air.step([sound, nil]) == other)
    }

    /// The expected value is the mean square of 24 kHz at −10 dB SPL/Hz of either noise, into 120 dB SPL:
    /// −130 + 3 + 43.8 dB over a sine's ½. A second of noise spreads by √(2 / 48 000) = 0.03 dB.
    @Test func noiseIsAsLoudAsSaid() {
        var air = Air(.openField, devices: [AirDevice(route: .fixed(.zero))], blockCount: 48_000, seed: 2)
        let heard = air.step([nil])[0]
        #expect(abs(decibels(energy(heard) / 48_000) - (-127 + 43.81 - 3.01 + 0.01)) < 0.12)
    }

    /// A level of 65 dB SPL at 1 m is −55 dB of a sine's mean square. In 18.5 to 20 kHz there is no more than
    /// −50 dB of that.
    @Test func aTelevisionIsLoudBelowTheBand() {
        let quiet = Microphone(noiseDecibelsSPLPerHertz: -.infinity)
        var air = Air(
            .openField, devices: [AirDevice(route: .fixed([1, 0, 0]), microphone: quiet)],
            programmes: [.television(at: .zero, seed: 1)],
            ambience: Ambience(noiseDecibelsSPLPerHertz: -.infinity), blockCount: 480_000, seed: 2)
        let heard = air.step([nil])[0]
        #expect(abs(decibels(energy(heard) / 480_000) - (-55 - 3.01)) < 0.05)
        var spectrum = heard.map { Complex($0) }
        FFT(count: spectrum.count).forward(&spectrum)
        let band = spectrum[185_000..<200_000].reduce(0.0) { $0 + Double($1.power) }
        let all = spectrum[..<240_000].reduce(0.0) { $0 + Double($1.power) }
        #expect(decibels(band / all) < -50)
        #expect(decibels(band / all) > -90)
    }

    /// In 100 s, 200 clicks are expected, ±14. Two clicks within 5 ms count as one, which is 1 %. The bound
    /// is four deviations.
    @Test func clicksComeAtRandom() {
        let quiet = Microphone(noiseDecibelsSPLPerHertz: -.infinity)
        let ambience = Ambience(
            noiseDecibelsSPLPerHertz: -.infinity, clicksPerSecond: 2, clickDecibelsSPL: 60)
        var air = Air(
            .openField, devices: [AirDevice(route: .fixed(.zero), microphone: quiet)], ambience: ambience,
            blockCount: 4_800_000, seed: 2)
        let heard = air.step([nil])[0]
        var (clicks, last) = (0, -1000)
        for (n, sample) in heard.enumerated() where sample != 0 {
            if n - last > 1 { clicks += 1 }
            last = n
        }
        #expect(abs(clicks - 198) < 56)
    }
}

/// White noise from a seed.
enum RandomSamples {
    static func floats(seed: UInt64, _ count: Int) -> [Float] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in Float(random.nextUnit()) - 0.5 }
    }
}
