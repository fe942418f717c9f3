import ChannelSim
import Signal

/// The path between two devices that stay where they are. Direct sound and tail form one response.
struct StandingPath: Sendable {
    /// The response; `nil` if the path cannot be heard.
    let response: PartitionedResponse?

    /// - Parameters:
    ///   - leastGain: the gain under which nothing is heard.
    ///   - seed: the seed of the tail.
    init(_ propagation: Propagation, leastGain: Double, shape: BlockShape, seed: UInt64) {
        guard propagation.gain >= leastGain else {
            response = nil
            return
        }
        let seconds = propagation.meters / TimeWarp.speedOfSoundMetersPerSecond
        let delay = seconds * Band.envelopeRateHz + Double(FractionalDelay.reach)
        let (first, taps) = FractionalDelay.shared.taps(delay: delay)
        let turn = Band.turn(delaySeconds: seconds) * Float(propagation.directGain)
        var sum = taps.map { turn * $0 }
        if let reverberation = propagation.reverberation {
            var noise = NoiseSource(seed: seed)
            let tail = reverberation.tail(envelopeRateHz: Band.envelopeRateHz, noise: &noise)
            let onset = Int(delay.rounded(.up)) - first
            sum += [Complex](repeating: .zero, count: max(0, onset + tail.count - sum.count))
            for (i, value) in tail.enumerated() { sum[onset + i] += value }
        }
        response = PartitionedResponse(sum, after: first, shape: shape)
    }
}
