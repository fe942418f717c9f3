import Glibc
import Signal

/// The near-ultrasonic band, in which all devices' sound travels as its complex envelope at 12 kHz.
///
///     x(t) = Re{ z(t) e^{j2πf₀t} },   f₀ = 19.2 kHz = 2/5 of the rate: five phases, no oscillator
///
/// Passes 16 to 22.4 kHz; 48 kHz in and out.
enum Band {
    static let sampleRateHz = 48_000.0
    static let carrierHz = 19_200.0
    static let decimation = 4
    static let envelopeRateHz = sampleRateHz / Double(decimation)
    /// The number of phases after which the carrier repeats. From sample to sample its phase advances by two
    /// of these.
    static let phaseCount = 5
    /// Half of the band, for filters.
    static let halfWidthHz = 3200.0

    /// The reach of the filter at either end: its taps extend so many samples both ways.
    static let filterReach = 40
    /// The latency of filters and interpolation in samples: everything is heard so much later than in
    /// reality.
    static let latencySamples = 2 * filterReach + decimation * FractionalDelay.reach

    /// A low pass to ``halfWidthHz``, which blocks from 6.4 kHz on, where the band's mirror image begins. It
    /// has a Blackman window, and its sum is 1. Shape: `[2 · filterReach + 1]`.
    static let lowPass: [Double] = {
        let cutoffHz = 4800.0
        let raw = (-filterReach...filterReach).map { n in
            let x = 2 * cutoffHz * Double(n) / sampleRateHz
            let turn = Double.pi * Double(n) / Double(filterReach + 1)
            let window = 0.42 + 0.5 * cos(turn) + 0.08 * cos(2 * turn)
            return window * (n == 0 ? 1 : sin(.pi * x) / (.pi * x))
        }
        let sum = raw.reduce(0, +)
        return raw.map { $0 / sum }
    }()

    /// Returns e^{j2πf₀n/fs}, which repeats every five samples.
    static func carrier(atSample n: Int) -> (re: Double, im: Double) {
        let phase = 2 * n % phaseCount
        let angle = 2 * Double.pi * Double(phase) / Double(phaseCount)
        return (cos(angle), sin(angle))
    }

    /// Returns e^{−j2πf₀τ}: the turn of the envelope's phase by a delay, besides the delay itself.
    static func turn(delaySeconds: Double) -> Complex {
        let cycles = -carrierHz * delaySeconds
        let angle = 2 * Double.pi * (cycles - cycles.rounded(.down))
        return Complex(Float(cos(angle)), Float(sin(angle)))
    }
}
