import Glibc
import Signal

/// The conversion of a band of a recording to its complex envelope at about 15 kHz, and back: there a bundle
/// of paths costs a third of its cost on the recording itself.
///
///     x(t) = Re{ z(t) e^{j2πf₀t} },   z within ±1.8 kHz; what is beyond 3.9 kHz from f₀ is lost
///
/// Both steps together are exact within −45 dB to 0.8 kHz from f₀; `MovingRoomTests` checks that.
struct BandEnvelope: Sendable {
    /// Half the width of the band.
    static let halfWidthHz = 1800.0
    /// The least centre: a lower band overlaps its own mirror in the low-pass.
    static let leastCentreHz = 4000.0
    private static let leastEnvelopeRateHz = 14_000.0
    /// The cutoff of the low-pass: at 44.1 kHz the band's mirror comes as near as 4.5 kHz.
    private static let cutoffHz = 2900.0
    private static let spanSeconds = 0.003

    let sampleRateHz: Double
    /// The centre f₀.
    private let centreHz: Double
    let decimation: Int
    /// The low-pass, a windowed sinc (Blackman), sum 1, symmetric about its middle.
    private let taps: [Float]

    var envelopeRateHz: Double { sampleRateHz / Double(decimation) }
    private var reach: Int { taps.count / 2 }

    init(centreHz: Double, sampleRateHz: Double) {
        precondition(centreHz >= BandEnvelope.leastCentreHz, "the band must keep clear of its mirror")
        precondition(
            sampleRateHz >= BandEnvelope.minimumSampleRateHz(centreHz: centreHz),
            "the rate must hold the band")
        (self.centreHz, self.sampleRateHz) = (centreHz, sampleRateHz)
        let decimation = max(1, Int(sampleRateHz / BandEnvelope.leastEnvelopeRateHz))
        self.decimation = decimation
        let reach = Int(sampleRateHz * BandEnvelope.spanSeconds / 2)
        let raw = (-reach...reach).map { n in
            let x = 2 * BandEnvelope.cutoffHz * Double(n) / sampleRateHz
            let window =
                0.42 + 0.5 * cos(.pi * Double(n) / Double(reach)) + 0.08
                * cos(2 * .pi * Double(n) / Double(reach))
            return window * (n == 0 ? 1 : sin(.pi * x) / (.pi * x))
        }
        let sum = raw.reduce(0, +)
        taps = raw.map { Float($0 / sum) }
    }

    /// Returns the least sample rate that holds the band.
    static func minimumSampleRateHz(centreHz: Double) -> Double { 2 * (centreHz + halfWidthHz) }

    /// Returns the envelope; its sample m stands at sample m · decimation. Shape: `[n]` → `[⌈n /
    /// decimation⌉]`.
    func envelope(of samples: [Float]) -> [Complex] {
        let shifted = samples.enumerated().map { carrier(at: $0.offset).conjugate * (2 * $0.element) }
        return stride(from: 0, to: samples.count, by: decimation).map { centre in
            var sum = Complex.zero
            for i in max(0, centre - reach)..<min(samples.count, centre + reach + 1) {
                sum += shifted[i] * taps[i - centre + reach]
            }
            return sum
        }
    }

    /// Returns the recording; the opposite of ``envelope(of:)``. Shape: `[m]` → `[m · decimation]`.
    func samples(of envelope: [Complex]) -> [Float] {
        (0..<envelope.count * decimation).map { n in
            var sum = Complex.zero
            let first = max(0, (n - reach + decimation - 1) / decimation)
            let last = min(envelope.count - 1, (n + reach) / decimation)
            for m in first...max(first, last) where m < envelope.count {
                sum += envelope[m] * taps[n - m * decimation + reach]
            }
            return Float(decimation) * (sum * carrier(at: n)).re
        }
    }

    /// Returns e^{j2πf₀n/fs}.
    private func carrier(at sample: Int) -> Complex {
        let cycles = centreHz / sampleRateHz * Double(sample)
        return Complex(unitPhasor: cycles)
    }
}

extension Complex {
    /// Creates e^{j2π cycles}, exact also after many cycles.
    init(unitPhasor cycles: Double) {
        let angle = 2 * .pi * (cycles - cycles.rounded(.down))
        self.init(Float(cos(angle)), Float(sin(angle)))
    }
}
