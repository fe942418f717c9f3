import Glibc

/// Chips → passband samples: GMSK on the carrier, raised-cosine ramps. Opposite: ``DSSSDemodulator``.
///
///     chip a_i is seen as a_i · j^i at t = (i + 1) T; the phase turns ±90° about t = (i + ½) T
struct DSSSModulator: Sendable {
    let profile: DSSSProfile
    let sampleRateHz: Double
    private let pulse: GMSKPulse

    init(profile: DSSSProfile, sampleRateHz: Double) {
        (self.profile, self.sampleRateHz) = (profile, sampleRateHz)
        pulse = GMSKPulse(gaussianBT: profile.gaussianBT)
    }

    /// The number of samples in a frame.
    var sampleCount: Int { Int((profile.durationSeconds * sampleRateHz).rounded(.up)) }

    /// Modulates chips. Shape: `[chipCount]` → `[sampleCount]` at `sampleRateHz`, peak 1.
    func modulate(_ chips: [Int8], delaySamples: Double = 0) -> [Float] {
        var envelope = envelope(of: chips)
        return (0..<sampleCount).map { n in
            let seconds = (Double(n) - delaySamples) / sampleRateHz
            let value = envelope.value(atChip: seconds * profile.chipRateHz)
            let cycles = seconds * profile.carrierHz
            let phaseRadians = 2 * Double.pi * (cycles - cycles.rounded(.down) + value.quarters / 4)
            return Float(value.amplitude * cos(phaseRadians))
        }
    }

    /// Returns the complex envelope of chips, `[chipCount]`, to be read from its beginning to its end.
    func envelope(of chips: [Int8]) -> Envelope {
        Envelope(turns: turns(of: chips), pulse: pulse, profile: profile)
    }

    /// The amplitude and the phase of a frame over time, without its carrier.
    struct Envelope {
        fileprivate let turns: [Int]
        fileprivate let pulse: GMSKPulse
        fileprivate let profile: DSSSProfile
        /// The sum of completed turns, in quarter circles, and the first turn that is not complete.
        private var settledQuarters = 0
        private var firstLive = 0

        fileprivate init(turns: [Int], pulse: GMSKPulse, profile: DSSSProfile) {
            (self.turns, self.pulse, self.profile) = (turns, pulse, profile)
        }

        /// Returns the amplitude and the phase, in quarter circles, at a time in chips from the frame's
        /// beginning, not before that of the last call.
        mutating func value(atChip chipTime: Double) -> (amplitude: Double, quarters: Double) {
            while firstLive < turns.count && chipTime - Double(firstLive) - 0.5 >= GMSKPulse.reachChips {
                settledQuarters += turns[firstLive]
                firstLive += 1
            }
            var quarters = Double(settledQuarters & 3) - 1
            var i = firstLive
            while i < turns.count && chipTime - Double(i) - 0.5 > -GMSKPulse.reachChips {
                quarters += Double(turns[i]) * pulse.phase(chipTime - Double(i) - 0.5)
                i += 1
            }
            return (amplitude(chipTime), quarters)
        }

        private func amplitude(_ chipTime: Double) -> Double {
            let ramp = Double(profile.rampChipCount)
            let edge = min(chipTime, Double(profile.chipCount + 1) - chipTime)
            if edge <= 0 { return 0 }
            return edge < ramp ? 0.5 - 0.5 * cos(.pi * edge / ramp) : 1
        }
    }

    /// Returns +1 where the phase turns forward, −1 elsewhere: b_i = a_i a_{i−1}, with virtual chips +1
    /// around the frame.
    private func turns(of chips: [Int8]) -> [Int] {
        var previous = 1
        var turns = chips.map { chip in
            defer { previous = Int(chip) }
            return Int(chip) * previous
        }
        turns.append(previous)
        return turns
    }
}
