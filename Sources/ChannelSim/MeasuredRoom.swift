import Glibc
import Signal

/// A real room, as impulse responses that somebody measured in it; every seed draws one of them.
///
///     speaker ─ response of one place, speaker and microphone included ─▶ microphone
///
/// Nothing is known of how loud its speaker was: what arrives is given the energy of what was sent.
public struct MeasuredRoom: Sendable, Hashable {
    /// Shape: `[place][n]`, none of them silent.
    public let impulseResponses: [[Float]]
    /// Of the responses.
    public let sampleRateHz: Double

    /// Nil without responses, or if one is silent.
    public init?(impulseResponses: [[Float]], sampleRateHz: Double) {
        guard !impulseResponses.isEmpty, impulseResponses.allSatisfy({ $0.contains { $0 != 0 } }) else {
            return nil
        }
        (self.impulseResponses, self.sampleRateHz) = (impulseResponses, sampleRateHz)
    }

    /// Shape: `[n]` at `sampleRateHz` → `[n + response − 1]`, of the same energy.
    public func apply(to samples: [Float], sampleRateHz: Double, seed: UInt64) -> [Float] {
        var random = SplitMix64(seed: seed)
        var response = impulseResponses[Int(random.next() % UInt64(impulseResponses.count))]
        if sampleRateHz != self.sampleRateHz {
            response = TimeWarp(speedMetersPerSecond: 0).apply(
                to: response, fromHz: self.sampleRateHz, toHz: sampleRateHz)
        }
        let heard = Convolver(response).convolve(samples)
        let (sent, left) = (MeasuredRoom.energy(samples), MeasuredRoom.energy(heard))
        guard left > 0 else { return heard }
        let gain = Float((sent / left).squareRoot())
        return heard.map { $0 * gain }
    }

    private static func energy(_ samples: [Float]) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) }
    }
}
