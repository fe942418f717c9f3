import Glibc
import Signal

/// How strong a decoded frame was: all its chips are known now.
///
/// The channel is estimated over sixteenths of a segment, so that a wandering phase does not read as noise; the
/// part of each chip across the signal's phase is left out, since that is where GMSK's neighbours stand.
struct SignalMeasurement: Sendable, Hashable {
    /// Energy of a chip over the noise density.
    var chipEnergy: Float

    private static let parts = 16

    init(_ chips: [Complex], sent: [Int8]) {
        var signal: Float = 0
        var residue: Float = 0
        let length = sent.count / SignalMeasurement.parts
        for part in 0..<SignalMeasurement.parts {
            let range = part * length..<(part + 1) * length
            var h = Complex.zero
            for i in range { h += chips[Tracker.leadChips + i] * Float(sent[i]) }
            h *= 1 / Float(length)
            let amplitude = h.power.squareRoot() + 1e-9
            var noise: Float = 0
            for i in range {
                let y = chips[Tracker.leadChips + i]
                let along = (y.re * h.re + y.im * h.im) / amplitude * Float(sent[i]) - amplitude
                noise += along * along
            }
            residue += noise / Float(length - 1) / Float(SignalMeasurement.parts)
            signal +=
                (h.power - 2 * noise / Float(length - 1) / Float(length)) / Float(SignalMeasurement.parts)
        }
        chipEnergy = max(signal, 1e-6) / max(2 * residue, 1e-6)
    }

    func ebN0Decibels(profile: WaveformProfile, tokenByteCount: Int) -> Float {
        let rampEnergy = 2 * 0.375 * Double(profile.rampChipCount) + 1
        let chips = Double(profile.segmentCount * profile.segmentChipCount) + rampEnergy
        return 10 * log10(chipEnergy * Float(chips) / Float(8 * tokenByteCount))
    }

    func snrDecibels(profile: WaveformProfile) -> Float {
        let bandHz = profile.bandHz.upperBound - profile.bandHz.lowerBound
        return 10 * log10(chipEnergy * Float(profile.chipRateHz / bandHz))
    }
}
