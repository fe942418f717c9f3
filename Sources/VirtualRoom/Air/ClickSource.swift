import ChannelSim
import Glibc
import Signal

/// A streaming source of clicks at random instants. A click is white noise that decays within some
/// milliseconds.
struct ClickSource: Sendable {
    private static let timeConstantSamples = 24.0
    private static let lengthSamples = 240

    private let perSample: Double
    private let amplitude: Double
    private var instants: SplitMix64
    private var noise: NoiseSource
    /// The start of the click that sounds or comes next, counted from the next block's first sample.
    private var start = 0.0

    /// - Parameter amplitude: the standard deviation of a click's first sample.
    init(perSecond: Double, amplitude: Double, seed: UInt64) {
        perSample = perSecond / Band.sampleRateHz
        self.amplitude = amplitude
        instants = SplitMix64(seed: seed)
        noise = NoiseSource(seed: instants.next())
        proceed()
    }

    private mutating func proceed() {
        start = perSample > 0 ? start - log(instants.nextUnit()) / perSample : .infinity
    }

    /// Adds the clicks to a block. If two clicks overlap, the second one begins at the end of the first.
    mutating func add(to samples: inout [Float]) {
        while start < Double(samples.count) {
            let first = Int(start.rounded(.down))
            for i in max(0, first)..<min(samples.count, first + ClickSource.lengthSamples) {
                let age = Double(i - first) / ClickSource.timeConstantSamples
                samples[i] += Float(amplitude * exp(-age)) * noise.next()
            }
            guard first + ClickSource.lengthSamples <= samples.count else { break }
            let end = Double(first + ClickSource.lengthSamples)
            proceed()
            start = max(start, end)
        }
        start -= Double(samples.count)
    }
}
