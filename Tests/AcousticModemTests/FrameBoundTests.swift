import Glibc
import Signal
import Testing

@testable import AcousticModem

/// Tests of the possible places of a frame in sound that gives no measure of noise.
@Suite struct FrameBoundTests {
    private static let block = EnergyBlock(band: .nearUltrasonic)

    private static func record(_ powers: [Float]) -> SteadyNoise {
        var noise = SteadyNoise(variance: block.variance)
        for power in powers { noise.append(power) }
        return noise
    }

    private static func bound(_ profile: DSSSProfile) -> FrameBound {
        FrameBound(plan: .frame(of: profile), profile: profile, block: block)
    }

    /// Noise leaves one block of a frame at its threshold undisturbed. The frame may be there; 3 dB fainter,
    /// it may not.
    @Test(arguments: [DSSSProfile.dsssQuick, .dsss]) func oneQuietBlockTells(profile: DSSSProfile) {
        let seconds = Double(profile.segmentChipCount) / profile.chipRateHz
        let blocks = Int(seconds * 20)
        let share = 64 * pow(10, profile.thresholdDecibels / 10) / (seconds * Self.block.noiseHz)
        for (gain, isOpen) in [(1.0, true), (0.5, false)] {
            var powers = [Float](repeating: Float(1 + gain * share), count: blocks)
            // The other blocks share the noise of this block, so that the total is the same.
            powers[blocks / 2] = Float(gain * share)
            for i in powers.indices where i != blocks / 2 { powers[i] += 1 / Float(blocks - 1) }
            #expect(Self.bound(profile).isOpen(at: 0, Self.record(powers)).any == isOpen)
        }
    }

    /// Every segment of a burst is compared with its own noise: a loud one does not affect the others.
    @Test func segmentsStandByThemselves() {
        let bound = Self.bound(.dsssFar)
        var powers = [Float](repeating: 1, count: bound.endBlock)
        for i in 30..<40 { powers[i] = 10_000 }
        #expect(bound.isOpen(at: 0, Self.record(powers)).any)
        for i in powers.indices where i % 24 == 12 { powers[i] = 0.01 }
        #expect(!bound.isOpen(at: 0, Self.record(powers)).any)
    }

    /// Silence is lost sound, and bounds nothing.
    @Test func silenceBoundsNothing() {
        var powers = [Float](repeating: 1, count: 24)
        powers[5] = 0
        #expect(Self.bound(.dsss).isOpen(at: 0, Self.record(powers)).any)
    }

    /// Sound that jumps by 20 dB is searched for frames that an automatic gain makes uneven, and not for
    /// rooms.
    @Test func jumpsAreCovered() {
        let energy = FrameEnergy(plan: .frame(of: .dsss), profile: .dsss)
        let noise = Self.record((0..<600).map { $0 / 10 % 2 == 0 ? 1 : 0.01 })
        var open: [OpenStarts] = []
        #expect(!energy.open(60_000..<61_200, noise, into: &open))
        #expect(open == [OpenStarts(starts: 60_000..<61_200, energy: .covered)])
    }

    /// A loud frame begins where the sound gets louder and stays so, and nowhere else.
    @Test func loudFramesBeginWithARise() {
        let onset = FrameOnset(profile: .dsss)
        var powers = [Float](repeating: 1, count: 80)
        for i in 30..<55 { powers[i] = 2.2 }
        let levels = Self.record(powers)
        #expect(
            (0..<60 as Range<SamplePosition>).filter { onset.isPossible(at: $0, levels) && $0 > 6 }
                == Array(29...35))
        for i in 40..<43 { powers[i] = 0.2 }
        #expect(!onset.isPossible(at: 30, Self.record(powers)))
    }
}
