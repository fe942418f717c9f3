import Glibc
import Signal

/// The response of a speaker and a microphone over the band: a slope, and notches in it. It has linear phase,
/// and its delay is removed.
///
/// It acts on the transmission before its level is measured: Eb/N0 counts the remaining energy, and the noise
/// stays white, like a microphone's own.
public struct TransducerResponse: Sendable, Hashable {
    /// A dip in the band, bell-shaped in decibels over frequency.
    public struct Notch: Sendable, Hashable {
        /// The frequency at which it is deepest.
        public var frequencyHz: Double
        /// The depth, positive.
        public var depthDecibels: Double
        /// The width between the points of half that depth.
        public var widthHz: Double

        /// - Parameter widthHz: the width between the points of half the depth; some tens of hertz at least
        ///   can be resolved.
        public init(frequencyHz: Double, depthDecibels: Double, widthHz: Double = 100) {
            self.frequencyHz = frequencyHz
            self.depthDecibels = depthDecibels
            self.widthHz = widthHz
        }
    }

    /// The slope across 18 to 20.5 kHz, 0 dB at 19.25 kHz; the response is flat below and above.
    public var tiltDecibelsPerKilohertz = 0.0
    /// The notches; their depths add up where they overlap.
    public var notches: [Notch] = []

    static let tiltedHz = 18_000.0...20_500.0
    static let pivotHz = 19_250.0
    /// The length of the filter, which resolves notches of a few tens of hertz.
    private static let spanSeconds = 0.12

    /// Creates a response, flat by default.
    public init(tiltDecibelsPerKilohertz: Double = 0, notches: [Notch] = []) {
        self.tiltDecibelsPerKilohertz = tiltDecibelsPerKilohertz
        self.notches = notches
    }

    /// Returns the gain that is asked for; the filter follows it within 0.3 dB where the depth is under 40
    /// dB.
    public func gainDecibels(atHz frequencyHz: Double) -> Double {
        let range = TransducerResponse.tiltedHz
        let within = min(max(frequencyHz, range.lowerBound), range.upperBound)
        var gain = tiltDecibelsPerKilohertz * (within - TransducerResponse.pivotHz) / 1000
        for notch in notches {
            let x = 2 * (frequencyHz - notch.frequencyHz) / notch.widthHz
            gain -= notch.depthDecibels * exp2(-x * x)
        }
        return gain
    }

    /// Returns the filtered samples. Shape: `[n]` → `[n]`.
    public func apply(to samples: [Float], sampleRateHz: Double) -> [Float] {
        let taps = makeTaps(sampleRateHz: sampleRateHz)
        let delay = taps.count / 2
        return Array(Convolver(taps).convolve(samples)[delay..<delay + samples.count])
    }

    /// Makes taps by frequency sampling under a Hann window. Reference: Oppenheim, Schafer, *Discrete-Time
    /// Signal Processing*, §7.5.
    private func makeTaps(sampleRateHz: Double) -> [Float] {
        let reach = Int(TransducerResponse.spanSeconds * sampleRateHz / 2)
        var count = 1024
        while count < 4 * reach { count *= 2 }
        var spectrum = (0..<count).map { bin in
            let frequencyHz = Double(min(bin, count - bin)) * sampleRateHz / Double(count)
            return Complex(Float(pow(10, gainDecibels(atHz: frequencyHz) / 20) / Double(count)))
        }
        FFT(count: count).inverse(&spectrum)
        return (-reach...reach).map { n in
            let window = 0.5 + 0.5 * cos(.pi * Double(n) / Double(reach + 1))
            return spectrum[(n + count) % count].re * Float(window)
        }
    }
}
