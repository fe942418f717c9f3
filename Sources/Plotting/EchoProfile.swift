import AcousticModem
import Glibc
import Signal

/// The power of a frame over delay: the direct path and the echoes after it.
///
/// The token is sent again, at the speed at which it was heard, and correlated with the recording:
///
///     r(τ) = Σ_n t*[n] y[n + τ],   shown as |r(τ)|² over the greatest of them, dB
///
/// A path is as wide as a chip, 0.7 to 0.8 ms; other chips leave some −30 dB everywhere.
package struct EchoProfile: Sendable {
    /// The delay of the first value after the frame's reported start, and the distance from one value to the
    /// next.
    package static let firstMilliseconds = -5.0
    package static let stepMilliseconds = 0.125
    package static let lastMilliseconds = 50.0

    /// The values in dB below the strongest path, 0 at most.
    package let decibels: [Float]

    /// The number of taps to either side that interpolate the band between two samples.
    private static let interpolationReach = 8

    /// Creates a profile; `nil` if the recording does not hold the frame any more, if it is silent there, or
    /// if the waveform is no DSSS of that band: others are not narrow in delay.
    package init?(of report: DecodeReport, channel: Int, in history: BasebandHistory) {
        guard let replica = EchoProfile.replica(of: report) else { return nil }
        let reach = EchoProfile.interpolationReach
        let perMillisecond = EchoProfile.rateHz / 1000
        let start = report.startSample / Double(BasebandHistory.band.decimation)
        let first = Int((start + EchoProfile.firstMilliseconds * perMillisecond).rounded(.down)) - reach
        let last = Int((start + EchoProfile.lastMilliseconds * perMillisecond).rounded(.up)) + reach
        guard let heard = history.samples(first..<last + replica.count, channel: channel) else { return nil }
        let correlation = EchoProfile.correlate(heard, with: replica, lagCount: last - first + 1)
        let count = Int(
            (EchoProfile.lastMilliseconds - EchoProfile.firstMilliseconds) / EchoProfile.stepMilliseconds)
        let powers = (0...count).map { index -> Float in
            let milliseconds = EchoProfile.firstMilliseconds + Double(index) * EchoProfile.stepMilliseconds
            return EchoProfile.value(
                of: correlation, at: start + milliseconds * perMillisecond - Double(first)
            ).power
        }
        guard let greatest = powers.max(), greatest > 0, greatest.isFinite else { return nil }
        decibels = powers.map { 10 * log10(max($0 / greatest, 1e-12)) }
    }

    /// Returns the frame as it would arrive alone, at baseband.
    private static func replica(of report: DecodeReport) -> [Complex]? {
        guard case .dsss(let profile) = report.profile.kind, profile.band == BasebandHistory.band else {
            return nil
        }
        let transmitter = Transmitter(profile: report.profile, lane: report.lane)
        guard let waveform = try? transmitter.waveform(of: report.token) else { return nil }
        // A closing speed compresses time.
        let compression = 1 + Double(report.speedMetersPerSecond) / 343
        var warp = Resampler(fromHz: Receiver.sampleRateHz * compression, toHz: Receiver.sampleRateHz)
        let samples = warp.process(waveform) + warp.finish() + [Float](repeating: 0, count: 240)
        var frontEnd = FrontEnd(band: profile.band)
        samples.withUnsafeBufferPointer { frontEnd.process($0) }
        return frontEnd.baseband
    }

    private static let rateHz = BasebandHistory.band.rateHz
    private static let blockCount = 60
    /// The frequency in hertz that the reported speed may be off, either way: 0.05 m/s.
    private static let largestResidueHz = 2.8

    /// Correlates in short blocks, and sums them up with the phases of the residual Doppler that gives the
    /// highest peak: a hundredth of a metre per second turns the carrier by half a cycle in a second. Shape:
    /// `[lagCount]`.
    private static func correlate(_ heard: [Complex], with replica: [Complex], lagCount: Int) -> [Complex] {
        let blocks = stride(from: 0, to: replica.count, by: blockCount).map { first in
            (0..<lagCount).map { lag in
                (first..<min(first + blockCount, replica.count)).reduce(into: Complex.zero) { sum, n in
                    if heard.indices.contains(n + lag) { sum += heard[n + lag] * replica[n].conjugate }
                }
            }
        }
        let stepHz = 0.1 * EchoProfile.rateHz / Double(replica.count)
        let steps = Int(largestResidueHz / stepHz)
        let sums = (-steps...steps).lazy.map { step -> [Complex] in
            let turn =
                -2 * Double.pi * Double(step) * stepHz * Double(blockCount) / EchoProfile.rateHz
            return blocks.enumerated().reduce(into: [Complex](repeating: .zero, count: lagCount)) {
                sum, block in
                let angle = turn * Double(block.offset)
                let phase = Complex(Float(cos(angle)), Float(sin(angle)))
                for lag in 0..<lagCount { sum[lag] += block.element[lag] * phase }
            }
        }
        return sums.max { peak($0) < peak($1) } ?? []
    }

    private static func peak(_ correlation: [Complex]) -> Float {
        correlation.reduce(0) { max($0, $1.power) }
    }

    /// Returns a value between samples by a sinc under a raised cosine.
    private static func value(of samples: [Complex], at place: Double) -> Complex {
        let middle = Int(place.rounded(.down))
        return (middle - interpolationReach + 1...middle + interpolationReach).reduce(into: Complex.zero) {
            sum, n in
            guard samples.indices.contains(n) else { return }
            let x = Double.pi * (place - Double(n))
            let weight = (x == 0 ? 1 : sin(x) / x) * 0.5 * (1 + cos(x / Double(interpolationReach)))
            sum += samples[n] * Float(weight)
        }
    }
}
