import ChannelSim
import Glibc
import Signal
import Testing

@testable import AcousticModem

extension FrameEnergy {
    /// Does the same for one channel.
    func open(_ starts: Range<SamplePosition>, _ noise: SteadyNoise, into open: inout [OpenStarts]) -> Bool {
        self.open(starts, [noise], ChannelSet(0), into: &open)
    }
}

extension FrameBound {
    /// Does the same for one channel.
    func isOpen(at place: SamplePosition, _ noise: SteadyNoise) -> (any: Bool, room: Bool) {
        isOpen(at: place, [noise], ChannelSet(0))
    }
}

/// Tests of sound that need not be searched for a frame because it has too little energy.
struct FrameEnergyTests {
    /// Returns the noise of a recording at 48 kHz.
    private static func noise(of samples: [Float]) -> SteadyNoise {
        var frontEnd = FrontEnd(band: .nearUltrasonic)
        samples.withUnsafeBufferPointer { frontEnd.process($0) }
        var noise = SteadyNoise(variance: block.variance)
        var window = BasebandWindow()
        let (baseband, size) = (frontEnd.baseband, block.sampleCount)
        for first in stride(from: 0, through: baseband.count - size, by: size) {
            window.append(baseband[first..<first + size])
            block.add(window, blocks: 1, to: &noise)
        }
        return noise
    }

    private static let block = EnergyBlock(band: .nearUltrasonic)

    /// The variance of 12 000 blocks of white noise is known to 1.3 %, so that 6 % are more than four
    /// standard errors.
    @Test func blocksOfWhiteNoiseVaryAsSaid() {
        var source = NoiseSource(seed: 1)
        let noise = Self.noise(of: source.samples(600 * 48_000, sigma: 0.1))
        let powers = (noise.start..<noise.end).map { noise.mean($0..<$0 + 1) }
        let mean = powers.reduce(0, +) / Float(powers.count)
        let squares = powers.reduce(0) { $0 + ($1 / mean - 1) * ($1 / mean - 1) }
        let ratio = squares / Float(powers.count) / Self.block.variance
        #expect(abs(ratio - 1) < 0.06)
    }

    /// Half a minute of noise comes before a frame at its threshold. Of 60 frames all starts but two are left
    /// open; most of the noise is closed.
    @Test(arguments: [(DSSSProfile.dsssQuick, Float(0.02)), (.dsss, 0.3), (.dsssFar, 0.8)])
    func framesStayOpen(profile: DSSSProfile, mostOfNoise: Float) throws {
        let energy = FrameEnergy(plan: .frame(of: profile), profile: profile)
        let transmitter = Transmitter(profile: WaveformProfile(profile))
        var random = SplitMix64(seed: 9)
        var missed = 0
        var (closed, all) = (0, 0)
        for _ in 0..<60 {
            let token = (0..<8).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let waveform = try transmitter.waveform(of: token)
            let perBit = waveform.reduce(0.0) { $0 + Double($1 * $1) } / 64
            let sigma = (perBit / pow(10, profile.thresholdDecibels / 10) / 2).squareRoot()
            var source = NoiseSource(seed: random.next())
            let leadSamples = 48_000 * 26 + Int(random.nextUnit() * 48_000)
            var recording = source.samples(leadSamples + waveform.count + 96_000, sigma: Float(sigma))
            for i in waveform.indices { recording[leadSamples + i] += waveform[i] }
            let noise = Self.noise(of: recording.map { $0 * 0.05 })
            var open: [OpenStarts] = []
            let rampSeconds = Double(profile.rampChipCount + 1) / profile.chipRateHz
            let start = SamplePosition((Double(leadSamples) / 48_000 + rampSeconds) * profile.band.rateHz)
            _ = energy.open(start - 1..<start + 2, noise, into: &open)
            if open.isEmpty { missed += 1 }
            // These starts end before the frame begins.
            let starts = 48_000..<start - energy.reachSamples
            guard starts.count > 1200 else { continue }
            _ = energy.open(starts, noise, into: &open)
            (closed, all) = (
                closed + starts.count - open.reduce(0) { $0 + $1.starts.count }, all + starts.count
            )
        }
        #expect(missed <= 2)
        #expect(Float(closed) >= (1 - mostOfNoise) * Float(all))
    }

    /// Everything is searched if there is nothing to compare with, and if the sound gets quieter. Nothing is
    /// searched in digital silence.
    @Test func changesAreOpen() {
        let energy = FrameEnergy(plan: .frame(of: .dsss), profile: .dsss)
        var noise = SteadyNoise(variance: Self.block.variance)
        var open: [OpenStarts] = []
        for _ in 0..<40 { noise.append(1) }
        #expect(energy.open(100..<1300, noise, into: &open))
        #expect(open == [OpenStarts(starts: 100..<1300, energy: .usual)])
        for _ in 40..<600 { noise.append(1) }
        #expect(!energy.open(60_000..<61_200, noise, into: &open))
        #expect(open.isEmpty)
        for _ in 600..<800 { noise.append(0.8) }
        #expect(energy.open(72_000..<73_200, noise, into: &open))
        #expect(open.last?.starts.upperBound == 73_200)
        for _ in 800..<900 { noise.append(0) }
        #expect(!energy.open(98_000..<99_200, noise, into: &open))
        #expect(open.isEmpty)
    }

    /// A reference path beside the searched starts belongs to them.
    @Test func theNearestStartsAreFound() {
        let open = [
            OpenStarts(starts: 100..<220, energy: .little), OpenStarts(starts: 220..<340, energy: .likely),
            OpenStarts(starts: 580..<700, energy: .usual),
        ]
        let energies = [0, 100, 219, 220, 339, 400, 500, 699, 900].map {
            OpenStarts.nearest($0, of: open).energy
        }
        #expect(
            energies == [.little, .little, .little, .likely, .likely, .likely, .usual, .usual, .usual])
    }
}
