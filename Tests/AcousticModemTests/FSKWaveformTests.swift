import Glibc
import Signal
import TestSupport
import Testing

@testable import AcousticModem

/// Tests of the waveform on air.
@Suite struct FSKWaveformTests {
    private let token: [UInt8] = [3, 1, 4, 1, 5, 9, 2, 6]

    @Test(arguments: [FSKProfile.fsk, .fskLong]) func littleIsUnderTheBand(profile: FSKProfile) throws {
        let waveform = try Transmitter(profile: WaveformProfile(profile)).waveform(of: token)
        #expect(energyBelow(18_000, waveform) <= -40)
        #expect(energyBelow(17_000, waveform) <= -60)
    }

    @Test func framesAreAsLongAsSaid() {
        #expect(FSKProfile.fsk.durationSeconds(.short) <= 1.5)
        #expect(FSKProfile.fskLong.durationSeconds(.short) <= 2.5)
    }

    /// Every symbol begins at phase 0, at any rate: the mean over its window, turned back by its tone, is
    /// real.
    @Test(arguments: FSKProfile.all) func symbolsBeginAtPhaseZero(profile: FSKProfile) throws {
        let rate = 48_000.0
        let tones = try FSKFrameEncoder(profile: profile, lane: 1).tones(of: token)
        let waveform = FSKModulator(profile: profile, sampleRateHz: rate).modulate(tones)
        let length = Int(profile.tones.symbolSeconds * rate)
        for (symbol, tone) in tones.enumerated() {
            let first = Int(FSKProfile.rampSeconds * rate) + symbol * length
            let turn = 2 * Double.pi * profile.tones.frequencyHz(ofTone: tone) / rate
            var sum = (re: 0.0, im: 0.0)
            for n in 0..<length {
                sum.re += Double(waveform[first + n]) * cos(turn * Double(n))
                sum.im -= Double(waveform[first + n]) * sin(turn * Double(n))
            }
            #expect(sum.re > 0.9 * Double(length) / 2)
            #expect(abs(sum.im) < 0.05 * sum.re, "symbol \(symbol)")
        }
    }

    /// Sync tones of two lanes never differ by one shift, which a Doppler could cause.
    @Test(arguments: FSKProfile.all) func lanesAreNoShiftedOthers(profile: FSKProfile) {
        let lanes = (0..<4).map {
            FSKFrameLayout(profile: profile, lane: $0, tokenClass: .short).syncs.map(\.tone)
        }
        for a in 0..<4 {
            for b in 0..<a {
                let shifts = zip(lanes[a], lanes[b]).map { $0 - $1 }
                #expect(shifts.max()! - shifts.min()! > 10)
            }
        }
    }
}
