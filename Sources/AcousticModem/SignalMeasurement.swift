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
    /// An echo counts when its estimated power is this many times what noise alone would show.
    private static let echoFactor: Float = 4

    init(_ chips: [Complex], sent: [Int8]) {
        let length = sent.count / SignalMeasurement.parts
        let direct = SignalMeasurement.path(chips, sent, delay: 0, length)
        var noise: Float = 0
        for part in 0..<SignalMeasurement.parts {
            let h = direct[part]
            let amplitude = h.power.squareRoot() + 1e-9
            for i in part * length..<(part + 1) * length {
                let y = chips[Tracker.leadChips + i]
                let along = (y.re * h.re + y.im * h.im) / amplitude * Float(sent[i]) - amplitude
                noise += along * along
            }
        }
        noise /= Float((length - 1) * SignalMeasurement.parts)
        let floor = 2 * noise / Float(length)
        var signal = SignalMeasurement.meanPower(direct) - floor
        var echoes: Float = 0
        for delay in 2..<DelayProfile.tapCount - DelayProfile.referenceTap {
            let power = SignalMeasurement.meanPower(SignalMeasurement.path(chips, sent, delay: delay, length))
            if power > SignalMeasurement.echoFactor * floor { echoes += power - floor }
        }
        signal += echoes
        // Half of each echo stands along the phase as interference between chips, and is no noise.
        noise = max(noise - echoes / 2, noise / 10)
        chipEnergy = max(signal, 1e-6) / max(2 * noise, 1e-6)
    }

    /// The channel's value in each part, `delay` chips after the reference path.
    private static func path(_ chips: [Complex], _ sent: [Int8], delay: Int, _ length: Int) -> [Complex] {
        (0..<parts).map { part in
            var h = Complex.zero
            for i in part * length..<(part + 1) * length {
                h += chips[Tracker.leadChips + i + delay] * Float(sent[i])
            }
            return h * (1 / Float(length))
        }
    }

    private static func meanPower(_ values: [Complex]) -> Float {
        values.reduce(0) { $0 + $1.power } / Float(values.count)
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
