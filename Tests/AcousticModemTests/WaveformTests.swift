import Glibc
import Signal
import TestSupport
import Testing

@testable import AcousticModem

/// Tests of the waveform on air: figures of the waveform page.
@Suite struct WaveformTests {
    @Test(arguments: DSSSProfile.all) func littleIsUnderTheBand(profile: DSSSProfile) throws {
        let waveform = try Transmitter(profile: WaveformProfile(profile)).waveform(of: [
            3, 1, 4, 1, 5, 9, 2, 6,
        ])
        #expect(energyBelow(18_000, waveform) <= -40)
        #expect(energyBelow(17_000, waveform) <= -60)
    }

    /// Younger people hear the range under the band best.
    @Test func littleIsUnderTheWideBand() throws {
        let waveform = try Transmitter(profile: .dsssWide).waveform(of: [3, 1, 4, 1, 5, 9, 2, 6])
        #expect(energyBelow(14_000, waveform) <= -40)
        #expect(energyBelow(12_000, waveform) <= -60)
    }

    @Test(arguments: DSSSProfile.all + [.dsssWide]) func theEnvelopeIsNearlyConstant(profile: DSSSProfile)
        throws
    {
        let waveform = try Transmitter(profile: WaveformProfile(profile)).waveform(of: [
            2, 7, 1, 8, 2, 8, 1, 8,
        ])
        let power = waveform.reduce(0.0) { $0 + Double($1 * $1) } / Double(waveform.count)
        let peak = waveform.reduce(Float(0)) { max($0, abs($1)) }
        #expect(peak <= 1)
        #expect(10 * log10(Double(peak * peak) / power) <= 3.5)
    }

    @Test func framesAreAsLongAsSaid() {
        #expect(DSSSProfile.dsssQuick.durationSeconds <= 0.45)
        #expect(DSSSProfile.dsss.durationSeconds <= 1.25)
        #expect(DSSSProfile.dsssFar.durationSeconds <= 5)
        #expect(DSSSProfile.dsssWide.durationSeconds <= 0.52)
    }

    /// Laurent's main pulse carries the signal: less than 2 % of a random chip stream's energy is left.
    @Test(arguments: [0.3, 0.5]) func chipsAddUpToTheSignal(gaussianBT: Double) {
        let pulse = ChipPulse(gaussianBT: gaussianBT)
        let phase = GMSKPulse(gaussianBT: gaussianBT)
        var generator = SplitMix64(seed: 11)
        let chips = (0..<200).map { _ in generator.next() >> 63 == 1 ? 1.0 : -1.0 }
        var residue = 0.0
        var energy = 0.0
        for step in 0..<1600 {
            let t = 20 + Double(step) / 10
            var quarters = -1.0
            var previous = 1.0
            var sum = (re: 0.0, im: 0.0)
            for (i, chip) in chips.enumerated() {
                quarters += chip * previous * phase.phase(t - Double(i) - 0.5)
                previous = chip
                let value = chip * pulse.value(t - Double(i) - 1)
                switch i & 3 {
                case 0: sum.re += value
                case 1: sum.im += value
                case 2: sum.re -= value
                default: sum.im -= value
                }
            }
            let sent = (re: cos(.pi / 2 * quarters), im: sin(.pi / 2 * quarters))
            residue += (sent.re - sum.re) * (sent.re - sum.re) + (sent.im - sum.im) * (sent.im - sum.im)
            energy += 1
        }
        #expect(residue / energy < 0.02)
    }

    /// The table, read with interpolation, equals the closed form within 1e-6.
    @Test func phasePulseTable() {
        let pulse = GMSKPulse(gaussianBT: 0.5)
        let sigma = log(2).squareRoot() / (2 * .pi * 0.5)
        for step in -240...240 {
            let u = Double(step) / 97
            #expect(abs(pulse.phase(u) - GMSKPulse.exactPhase(u, sigma)) < 1e-6)
        }
    }
}
