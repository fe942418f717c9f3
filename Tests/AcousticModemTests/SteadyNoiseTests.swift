import ChannelSim
import Signal
import Testing

@testable import AcousticModem

struct SteadyNoiseTests {
    /// Returns powers of mean 1 whose variance is `1 / freedom`, as sums of squares have.
    private static func powers(_ count: Int, freedom: Int, seed: UInt64) -> [Float] {
        var noise = NoiseSource(seed: seed)
        return (0..<count).map { _ in
            let squares = noise.samples(2 * freedom, sigma: 1).map { $0 * $0 }
            return squares.reduce(0, +) / Float(2 * freedom)
        }
    }

    private static func filled(_ powers: [Float]) -> SteadyNoise {
        var noise = SteadyNoise(variance: 1 / 50)
        for power in powers { noise.append(power) }
        return noise
    }

    @Test func saysNothingBeforeItHasHeardEnough() {
        let count = SteadyNoise.referenceBlocks
        let noise = Self.filled([Float](repeating: 1, count: count))
        #expect(noise.reference(before: noise.end) == 1)
        #expect(noise.reference(before: noise.end - 1) == nil)
        #expect(noise.reference(before: noise.end + 1) == nil)
        let silence = Self.filled([Float](repeating: 0, count: count))
        #expect(silence.reference(before: silence.end) == nil)
    }

    /// There are 400 references: about one in thirty is by chance too uneven, at most one in twelve.
    @Test func noiseIsSteady() {
        let count = SteadyNoise.referenceBlocks
        let noise = Self.filled(Self.powers(400 * count, freedom: 50, seed: 3))
        let steady = (1...400).count { noise.reference(before: SamplePosition($0 * count)) != nil }
        #expect(steady >= 367)
    }

    /// The noise swells by a tenth for a second and a half now and then, or jumps by a fifth.
    @Test func whatSwellsIsNot() {
        let count = SteadyNoise.referenceBlocks
        var powers = Self.powers(100 * count, freedom: 50, seed: 4)
        for i in powers.indices where (i / 16) % 4 == 0 { powers[i] *= 1.15 }
        let swelling = Self.filled(powers)
        #expect((1...100).count { swelling.reference(before: SamplePosition($0 * count)) != nil } < 20)
        powers = Self.powers(100 * count, freedom: 50, seed: 5)
        for i in powers.indices where (i + count / 2) / count % 2 == 0 { powers[i] *= 1.2 }
        let jumping = Self.filled(powers)
        #expect((1...100).count { jumping.reference(before: SamplePosition($0 * count)) != nil } == 0)
    }

    /// There are 2000 stretches of ten blocks in noise. The mean is within four, the deviation within three
    /// standard errors of 0 and 1.
    @Test func excessIsInDeviationsOfNoise() throws {
        let trials = 2000
        let all = Self.powers(SteadyNoise.referenceBlocks + 10 * trials, freedom: 50, seed: 6)
        let noise = Self.filled(all)
        let excesses = try (0..<trials).map { trial -> Float in
            let first = SteadyNoise.referenceBlocks + 10 * trial
            let reference = try #require(all[(first - SteadyNoise.referenceBlocks)..<first].mean)
            return noise.excess(
                noise.mean(SamplePosition(first)..<SamplePosition(first + 10)), blocks: 10, over: reference)
        }
        let mean = try #require(excesses.mean)
        let deviation = try #require(excesses.map { ($0 - mean) * ($0 - mean) }.mean).squareRoot()
        // Neighbours share a reference.
        #expect(abs(mean) < 0.15)
        #expect(abs(deviation - 1) < 0.05)
    }

    @Test func forgetsWhatIsNotNeeded() {
        let count = SteadyNoise.referenceBlocks
        var noise = Self.filled(Self.powers(5 * count, freedom: 50, seed: 7))
        let place = SamplePosition(4 * count)
        let reference = noise.reference(before: place)
        noise.drop(before: place)
        #expect(noise.end == place + count)
        #expect(noise.reference(before: place) == reference)
        #expect(noise.reference(before: place - count) == nil)
    }

    /// Frames come every five seconds. With them there is no measure. Without them it is that of the noise
    /// between them, wherever a frame ends.
    @Test func whatIsLeftOutIsNoNoise() throws {
        let count = 4 * SteadyNoise.referenceBlocks
        var powers = Self.powers(count, freedom: 50, seed: 7)
        var noise = SteadyNoise(variance: 1 / 50)
        var frames: [Range<Int>] = []
        for first in stride(from: 60, to: count, by: 100) {
            let frame = first..<min(first + 30, count)
            for block in frame { powers[block] *= 100 }
            frames.append(frame)
        }
        for power in powers { noise.append(power) }
        #expect(noise.reference(before: noise.end) == nil)
        for frame in frames {
            noise.leaveOut(SamplePosition(frame.lowerBound)..<SamplePosition(frame.upperBound))
        }
        for block in [noise.end, noise.end - 10, noise.end - 41] {
            let reference = try #require(noise.reference(before: block))
            #expect(abs(reference - 1) < 0.05)
        }
        #expect(noise.leavesOut(1480..<1500) && !noise.leavesOut(1490..<noise.end))
        // There was not enough noise before.
        #expect(noise.reference(before: SamplePosition(SteadyNoise.referenceBlocks)) == nil)
    }
}

extension Collection where Element == Float {
    fileprivate var mean: Float? { isEmpty ? nil : reduce(0, +) / Float(count) }
}
