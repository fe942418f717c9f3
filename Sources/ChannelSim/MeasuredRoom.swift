import Glibc
import Signal

/// A real room in the form of impulse responses that were measured in it; every seed draws one of them.
///
///     speaker ─ response of one place, speaker and microphone included ─▶ microphone
///
/// The level of its speaker is not known: the arrival is given the energy of the sent sound.
public struct MeasuredRoom: Sendable, Hashable {
    /// The responses, none of them silent. Shape: `[place][n]`.
    public let impulseResponses: [[Float]]
    /// The sample rate of the responses.
    public let sampleRateHz: Double

    /// Creates a room; `nil` without responses, or if one is silent.
    public init?(impulseResponses: [[Float]], sampleRateHz: Double) {
        guard !impulseResponses.isEmpty, impulseResponses.allSatisfy({ $0.contains { $0 != 0 } }) else {
            return nil
        }
        (self.impulseResponses, self.sampleRateHz) = (impulseResponses, sampleRateHz)
    }

    /// Returns the sound in the room, of the same energy. Shape: `[n]` at `sampleRateHz` → `[n + response −
    /// 1]`.
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
