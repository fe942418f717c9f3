import Glibc

/// Chips → passband samples: GMSK on the carrier, raised-cosine ramps. Opposite: ``DSSSDemodulator``.
///
///     chip a_i is seen as a_i · j^i at t = (i + 1) T; the phase turns ±90° about t = (i + ½) T
struct DSSSModulator: Sendable {
    let profile: DSSSProfile
    let sampleRateHz: Double

    /// The number of samples in a frame.
    var sampleCount: Int { Int((profile.durationSeconds * sampleRateHz).rounded(.up)) }

    /// Modulates chips. Shape: `[chipCount]` → `[sampleCount]` at `sampleRateHz`, peak 1.
    func modulate(_ chips: [Int8], delaySamples: Double = 0) -> [Float] {
        let turns = turns(of: chips)
        var settledQuarters = 0  // the sum of completed turns, in quarter circles
        var firstLive = 0
        let pulse = GMSKPulse(gaussianBT: profile.gaussianBT)
        return (0..<sampleCount).map { n in
            let seconds = (Double(n) - delaySamples) / sampleRateHz
            let chipTime = seconds * profile.chipRateHz
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
            let cycles = seconds * profile.carrierHz
            let phaseRadians = 2 * Double.pi * (cycles - cycles.rounded(.down) + quarters / 4)
            return Float(amplitude(chipTime) * cos(phaseRadians))
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

    private func amplitude(_ chipTime: Double) -> Double {
        let ramp = Double(profile.rampChipCount)
        let edge = min(chipTime, Double(profile.chipCount + 1) - chipTime)
        if edge <= 0 { return 0 }
        return edge < ramp ? 0.5 - 0.5 * cos(.pi * edge / ramp) : 1
    }
}
