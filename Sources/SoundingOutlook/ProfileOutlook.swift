import AcousticModem
import Glibc
import Sounding

/// The prospects of one waveform according to a sounding.
package struct ProfileOutlook: Sendable {
    package enum Verdict: String, Sendable {
        case works
        case marginal
        case no = "does not work"
    }

    package let profile: WaveformProfile
    /// The Eb/N0 at which nine in ten tokens are heard in white noise.
    package let thresholdDecibels: Double
    /// The decibels that the room's echoes need beyond that.
    package let roomDecibels: Double
    /// The Eb/N0 that is expected; `nil` if the sounding was not heard in the waveform's band.
    package let ebN0Decibels: Double?
    /// The distance at which it was measured; `nil` if it was not given.
    package let distanceMeters: Double?

    /// The reserve for a head in the way, a hand over the microphone, someone who turns the speaker away.
    package static let reserveDecibels = 6.0
    package static let tokenBitCount = 64.0
    package static let bandwidthHz = 1500.0

    package var marginDecibels: Double? { ebN0Decibels.map { $0 - thresholdDecibels - roomDecibels } }

    package var verdict: Verdict {
        guard let marginDecibels, marginDecibels >= 0 else { return .no }
        return marginDecibels >= ProfileOutlook.reserveDecibels ? .works : .marginal
    }

    /// Returns the outlook of the waveforms of 18.5–20 kHz for which a curve is kept. All have 3 dB between
    /// peak and mean, like a sweep.
    package static func all(_ report: SoundingReport, distanceMeters: Double?) -> [ProfileOutlook] {
        let room = roomDecibels(
            directToReverberant: report.directToReverberantDecibels, rt60Seconds: report.rt60Seconds)
        return WaveformProfile.nearby.compactMap { profile in
            guard let threshold = profile.thresholdDecibels, profile.bandHz.lowerBound > 18_000 else {
                return nil
            }
            let gain = 10 * log10(bandwidthHz * profile.durationSeconds() / tokenBitCount)
            return ProfileOutlook(
                profile: profile, thresholdDecibels: threshold, roomDecibels: room,
                ebN0Decibels: report.snrDecibels.map { $0 + gain }, distanceMeters: distanceMeters)
        }
    }

    /// Returns the decibels beyond the 2.99 dB of white noise, from the rows of static rooms in
    /// `Fixtures/curves/campaign.md`, measured for `dsss` and used for all: 6.18 dB at a DRR of 0 dB; at −6
    /// dB 8.41 for an RT60 of 0.3 s, 9.86 for 0.6 s. Values between are interpolated on straight lines, down
    /// to nothing at +10 dB.
    package static func roomDecibels(directToReverberant: Double?, rt60Seconds: Double?) -> Double {
        guard let drr = directToReverberant, drr < 10 else { return 0 }
        let even = 6.18 - 2.99
        guard drr < 0 else { return even * (1 - drr / 10) }
        let late = min(1, max(0, ((rt60Seconds ?? 0.3) - 0.3) / 0.3))
        let diffuse = 8.41 + late * (9.86 - 8.41) - 2.99
        return even + (diffuse - even) * min(1, -drr / 6)
    }
}
