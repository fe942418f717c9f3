import ChannelSim
import Glibc
import Testing

@Suite struct ShoeboxRoomTests {
    /// Schroeder's decay of each response, without its direct sound, is within 15 % of the requested time.
    @Test(arguments: [0.12, 0.2, 0.3]) func decaysAsAsked(rt60: Double) {
        for seed in 1...8 {
            let room = ShoeboxRoom(rt60Seconds: rt60, sampleRateHz: 48_000, seed: UInt64(seed))
            let first = Int((room.directDelaySeconds * 48_000).rounded()) + 1
            let power = room.impulseResponse[first...].map { Double($0) * Double($0) }
            let measured = Decay.rt60Seconds(power)
            #expect(abs(measured / rt60 - 1) < 0.15, "seed \(seed): \(measured) s")
        }
    }

    /// The first sound comes straight: after d / 343 m/s, to the sample.
    @Test(arguments: [0.5, 1.7, 4.0]) func directSoundComesAfterItsWay(distance: Double) {
        let response = room(distance: distance).impulseResponse
        #expect(response.firstIndex { $0 != 0 } == Int((distance / 343 * 48_000).rounded()))
    }

    /// Direct sound falls by 1 / d and the air's absorption, reverberation hardly: 3 to 7 dB for each
    /// doubling.
    @Test func farAwayThereIsMoreReverberation() {
        let ratios = [0.5, 1, 2, 4].map { room(distance: $0).drrDecibels }
        for (near, far) in zip(ratios, ratios.dropFirst()) {
            #expect((3...8).contains(near - far), "\(ratios)")
        }
        #expect(ratios[0] > 3 && ratios[3] < 0, "\(ratios)")
    }

    @Test(arguments: [UInt64(1), 2, 3]) func energyIsOne(seed: UInt64) {
        let response = ShoeboxRoom(rt60Seconds: 0.25, sampleRateHz: 44_100, seed: seed).impulseResponse
        #expect(abs(response.reduce(0) { $0 + $1 * $1 } - 1) < 1e-3)
    }

    /// In the band the mean energy is one: its loss is even over frequency. This is the mean of 100 rooms. A
    /// tone's power in one spreads by its mean at most, so that the bound is three standard errors.
    @Test func bandHasItsShareOfTheEnergy() {
        let (cosine, sine) = (
            (0..<20_000).map { cos(0.8 * Double.pi * Double($0)) },
            (0..<20_000).map { sin(0.8 * Double.pi * Double($0)) }
        )
        var gain = 0.0
        for seed in 0..<100 {
            let response = ShoeboxRoom(rt60Seconds: 0.2, sampleRateHz: 48_000, seed: UInt64(seed))
                .impulseResponse
            let re = zip(response, cosine).reduce(0.0) { $0 + Double($1.0) * $1.1 }
            let im = zip(response, sine).reduce(0.0) { $0 + Double($1.0) * $1.1 }
            gain += (re * re + im * im) / 100
        }
        #expect(abs(gain - 1) < 0.3)
    }

    /// A speaker turned to the microphone is heard more directly than one turned away. An omnidirectional one
    /// is between.
    @Test func speakersFace() {
        func ratio(_ facing: SIMD3<Double>, _ radius: Double) -> Double {
            var layout = ShoeboxRoomTests.layout(distance: 2)
            (layout.facing, layout.pistonRadiusMeters) = (facing, radius)
            return ShoeboxRoom(layout, rt60Seconds: 0.3, sampleRateHz: 48_000, seed: 1).drrDecibels
        }
        let (to, even, away) = (ratio([1, 0, 0], 0.01), ratio([1, 0, 0], 0), ratio([-1, 0.2, 0], 0.01))
        #expect(to > even + 3 && even > away + 10, "\(to) \(even) \(away)")
    }

    private func room(distance: Double) -> ShoeboxRoom {
        ShoeboxRoom(
            ShoeboxRoomTests.layout(distance: distance), rt60Seconds: 0.3, sampleRateHz: 48_000, seed: 1)
    }

    private static func layout(distance: Double) -> ShoeboxLayout {
        ShoeboxLayout(
            size: [5.9, 5.4, 2.9], source: [0.9, 2.1, 1.2], microphone: [0.9 + distance, 2.1, 1.2])
    }
}
