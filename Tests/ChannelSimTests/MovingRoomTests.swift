import ChannelSim
import Glibc
import Signal
import TestSupport
import Testing

@Suite struct MovingRoomTests {
    private let toneHz = 19_200.0

    /// The correlation of a steady tone's tail over a lag is sinc(2 v f τ / c), that of the 3-D diffuse
    /// field. It is the mean of 60 rooms of 0.8 s, or of 15, each with some 60 independent stretches at 1
    /// m/s: its standard error is near 0.02 of 60 rooms, the bound 0.07; twice that of 15.
    @Test(arguments: [0.5, 1, -1.5]) func tailDecorrelatesAsTheorySays(speed: Double) {
        let lagsSeconds = [0.0, 0.002, 0.005, 0.009, 0.0134, 0.02]
        var sums = [Double](repeating: 0, count: lagsSeconds.count)
        let rooms = Trials.count(15, many: 60)
        for seed in 0..<rooms {
            let room = MovingRoom(
                rt60Seconds: 0.3, drrDecibels: -60, speedMetersPerSecond: speed, seed: UInt64(seed))
            let heard = envelope(room.apply(to: tone(48_000), sampleRateHz: 48_000))
            for (index, lag) in lagsSeconds.enumerated() {
                let shift = Int(lag * 48_000)
                for n in stride(from: 14_400, to: 40_000, by: 96) {
                    sums[index] += Double((heard[n + shift] * heard[n].conjugate).re)
                }
            }
        }
        for (sum, lag) in zip(sums, lagsSeconds) {
            let x = 2 * .pi * speed * toneHz * lag / 343
            let expected = x == 0 ? 1 : sin(x) / x
            #expect(abs(sum / sums[0] - expected) < 0.07 * (60 / Double(rooms)).squareRoot(), "lag \(lag)")
        }
    }

    /// Without motion it is a static room: the tail of a tone does not change.
    @Test func standingStillNothingChanges() {
        let room = MovingRoom(rt60Seconds: 0.2, drrDecibels: -60, speedMetersPerSecond: 0, seed: 3)
        let heard = envelope(room.apply(to: tone(48_000), sampleRateHz: 48_000))
        let (early, late) = (heard[30_000], heard[44_000])
        #expect((early - late).power < 1e-3 * early.power)
    }

    /// Without reverberation it is the time warp of the direct sound, within −50 dB.
    @Test(arguments: [-1.5, 0.7]) func directSoundIsTheTimeWarp(speed: Double) {
        let sent = burst()
        let room = MovingRoom(
            rt60Seconds: 0.1, drrDecibels: 120, speedMetersPerSecond: speed, clockSkewPPM: 60, seed: 1)
        let heard = room.apply(to: sent, sampleRateHz: 48_000)
        let compression = (1 + speed / 343) * (1 + 60e-6)
        let expected = TimeWarp(compression: compression).apply(to: sent)
        #expect(decibels(zip(heard, expected).map { $0 - $1 }, over: expected) < -50)
    }

    /// The mean energy over rooms is the sent energy, and its split is as requested. The mean is of 100
    /// rooms, or of 25, of which one spreads by about 15 % in a band of this width; the bound is four
    /// standard errors.
    @Test(arguments: [-6.0, 3]) func energyIsAsAsked(drr: Double) {
        let sent = burst()
        var gain = 0.0
        let rooms = Trials.count(25, many: 100)
        for seed in 0..<rooms {
            let room = MovingRoom(
                rt60Seconds: 0.3, drrDecibels: drr, speedMetersPerSecond: 1, seed: UInt64(seed))
            gain +=
                energy(room.apply(to: sent, sampleRateHz: 48_000)) / energy(sent)
                / Double(rooms)
        }
        #expect(abs(gain - 1) < 0.6 / Double(rooms).squareRoot())
    }

    /// The tail of a short burst falls by 60 dB in RT60: mean power of 100 rooms, from 5 to 25 dB down,
    /// within 8 %.
    @Test(arguments: [0.3, 0.6]) func decaysAsAsked(rt60: Double) {
        let click = Array(burst().prefix(2400))
        var power = [Double](repeating: 0, count: 48_000)
        for seed in 0..<100 {
            let room = MovingRoom(
                rt60Seconds: rt60, drrDecibels: -60, speedMetersPerSecond: 1, seed: UInt64(seed))
            for (n, x) in room.apply(to: click, sampleRateHz: 48_000).enumerated() where n < power.count {
                power[n] += Double(x * x)
            }
        }
        #expect(abs(Decay.rt60Seconds(power.dropFirst(2400)) / rt60 - 1) < 0.08)
    }

    @Test(arguments: [44_100.0, 48_000, 96_000]) func anyRateThatHoldsTheBand(rateHz: Double) {
        let sent = (0..<Int(rateHz)).map { Float(cos(2 * .pi * 19_900 * Double($0) / rateHz)) }
        let room = MovingRoom(rt60Seconds: 0.1, drrDecibels: 120, speedMetersPerSecond: 0, seed: 1)
        let heard = room.apply(to: sent, sampleRateHz: rateHz)
        let error = (1000..<40_000).map { heard[$0] - sent[$0] }
        #expect(decibels(error, over: Array(sent[1000..<40_000])) < -45)
    }

    @Test func sameSeedSameRoom() {
        func heard(_ seed: UInt64) -> [Float] {
            MovingRoom(rt60Seconds: 0.3, drrDecibels: 0, speedMetersPerSecond: 1, seed: seed)
                .apply(to: burst(), sampleRateHz: 48_000)
        }
        #expect(heard(1) == heard(1))
        #expect(heard(1) != heard(2))
    }

    /// Returns a waveform like the modem's: smoothly keyed up and down by 300 Hz, half a second with ramps.
    private func burst() -> [Float] {
        var phase = 0.0
        var noise = NoiseSource(seed: 9)
        var (target, drift) = (0.0, 0.0)
        return (0..<24_000).map { n in
            if n % 40 == 0 { target = noise.next() > 0 ? 300 : -300 }
            drift += 0.05 * (target - drift)
            phase += (19_200 + drift) / 48_000
            let ramp = min(1, Double(min(n, 23_999 - n)) / 480)
            return Float(ramp * cos(2 * .pi * phase))
        }
    }

    private func tone(_ count: Int) -> [Float] {
        (0..<count).map { Float(cos(2 * .pi * toneHz * Double($0) / 48_000)) }
    }

    /// Returns the envelope: the sound is mixed down from the tone and averaged over its 2.5 cycles, so that
    /// the part at twice its frequency vanishes.
    private func envelope(_ samples: [Float]) -> [Complex] {
        let mixed = samples.enumerated().map { n, x in
            let angle = -2 * Double.pi * toneHz * Double(n) / 48_000
            return Complex(Float(cos(angle)) * x, Float(sin(angle)) * x)
        }
        return (0..<mixed.count - 10).map { n in mixed[n..<n + 10].reduce(Complex.zero) { $0 + $1 } }
    }

    private func energy(_ x: [Float]) -> Double { x.reduce(0.0) { $0 + Double($1 * $1) } }

    private func decibels(_ error: [Float], over x: [Float]) -> Double {
        10 * log10(energy(error) / energy(x))
    }
}
