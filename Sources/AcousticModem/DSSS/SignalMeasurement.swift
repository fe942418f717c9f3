import Glibc
import Signal

/// A measurement of a decoded frame's strength, with all its chips known.
///
/// The part of the sound that the chips explain is subtracted path by path; the rest is noise. The channel is
/// estimated over sixteenths of a segment, so that a wandering phase does not count as noise.
///
///     y(i) = Σ_k h_k s(i − k) + n(i)      k = 0: the path;  ±1, ±2: its pulse;  from 3 on: echoes
struct SignalMeasurement: Sendable, Hashable {
    /// The energy of a chip over the noise density.
    var chipEnergy: Float
    /// The part of the segment in which the path is there; the whole segment is 0..<1.
    var soundingPart: Range<Float>

    private static let parts = 16
    /// The share of the strongest part's power from which on the path counts as there.
    private static let soundingShare: Float = 0.05
    /// An echo counts when its estimated power is this many times what noise alone would show.
    private static let echoFactor: Float = 4
    /// The number of passes over the path and its pulse, whose chips are not orthogonal.
    private static let passes = 3

    init(_ chips: [Complex], sent: [Int8]) {
        let length = sent.count / SignalMeasurement.parts
        var residual = Residual(chips: chips, sent: sent, parts: SignalMeasurement.parts)
        var direct = [Complex](repeating: .zero, count: SignalMeasurement.parts)
        for _ in 0..<SignalMeasurement.passes {
            for delay in [0, -1, 1, -2, 2] {
                let found = residual.path(delay: delay)
                residual.remove(found, delay: delay)
                if delay == 0 { direct = zip(direct, found).map { $0 + $1 } }
            }
        }
        var fitted: Float = 5
        var noise = residual.power / (1 - fitted / Float(length))
        var signal = SignalMeasurement.meanPower(direct) - noise / Float(length)
        var faint: (energy: Float, delays: Float) = (0, 0)
        for delay in 3..<DelayProfile.tapCount - DelayProfile.referenceTap {
            let echo = residual.path(delay: delay)
            let floor = noise / Float(length)
            let excess = SignalMeasurement.meanPower(echo) - floor
            if excess > SignalMeasurement.echoFactor * floor {
                residual.remove(echo, delay: delay)
                signal += excess
                fitted += 1
                noise = residual.power / (1 - fitted / Float(length))
            } else {
                faint.energy += excess
                faint.delays += 1
            }
        }
        // Each of these echoes is too faint to stand out of noise. All of them count if their sum exceeds
        // three of its standard deviations.
        let spread = noise / Float(length) * (faint.delays / Float(SignalMeasurement.parts)).squareRoot()
        if faint.energy > 3 * spread {
            signal += faint.energy
            noise -= faint.energy
        }
        chipEnergy = max(signal, 1e-6) / max(noise, 1e-6)
        soundingPart = SignalMeasurement.soundingPart(direct)
    }

    /// - Parameter frameEnergy: the energy of a whole frame over the noise density.
    init(frameEnergy: Float, profile: DSSSProfile) {
        chipEnergy = frameEnergy / Float(SignalMeasurement.chipsOfEnergy(profile))
        soundingPart = 0..<1
    }

    private static func soundingPart(_ path: [Complex]) -> Range<Float> {
        let least = soundingShare * (path.lazy.map { $0.power }.max() ?? 0)
        let first = path.firstIndex { $0.power >= least } ?? 0
        let last = path.lastIndex { $0.power >= least } ?? path.count - 1
        return Float(first) / Float(path.count)..<Float(last + 1) / Float(path.count)
    }

    private static func meanPower(_ values: [Complex]) -> Float {
        values.reduce(0) { $0 + $1.power } / Float(values.count)
    }

    /// The chips of a segment, less the paths found so far.
    private struct Residual {
        private var chips: [Complex]
        private let sent: [Int8]
        private let parts: Int
        private let length: Int

        init(chips: [Complex], sent: [Int8], parts: Int) {
            (self.chips, self.sent, self.parts) = (chips, sent, parts)
            length = sent.count / parts
        }

        /// Returns the channel's value in each part, `delay` chips after the reference path.
        func path(delay: Int) -> [Complex] {
            (0..<parts).map { part in
                var h = Complex.zero
                for i in part * length..<(part + 1) * length {
                    h += chips[Tracker.leadChips + i + delay] * Float(sent[i])
                }
                return h * (1 / Float(length))
            }
        }

        mutating func remove(_ path: [Complex], delay: Int) {
            for part in 0..<parts {
                for i in part * length..<(part + 1) * length {
                    chips[Tracker.leadChips + i + delay] += path[part] * -Float(sent[i])
                }
            }
        }

        /// The mean power over the segment.
        var power: Float {
            let span = Tracker.leadChips..<Tracker.leadChips + parts * length
            return chips[span].reduce(0) { $0 + $1.power } / Float(span.count)
        }
    }

    /// Returns the number of chips that have a frame's energy, the ramps included.
    private static func chipsOfEnergy(_ profile: DSSSProfile) -> Double {
        let rampEnergy = 2 * 0.375 * Double(profile.rampChipCount) + 1
        return Double(profile.segmentCount * profile.segmentChipCount) + rampEnergy
    }

    func ebN0Decibels(profile: DSSSProfile, tokenByteCount: Int) -> Float {
        let chips = SignalMeasurement.chipsOfEnergy(profile)
        return 10 * log10(chipEnergy * Float(chips) / Float(8 * tokenByteCount))
    }

    func snrDecibels(profile: DSSSProfile) -> Float {
        let bandHz = profile.bandHz.upperBound - profile.bandHz.lowerBound
        return 10 * log10(chipEnergy * Float(profile.chipRateHz / bandHz))
    }
}
