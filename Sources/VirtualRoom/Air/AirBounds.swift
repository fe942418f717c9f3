import ChannelSim
import Glibc

/// The limits of the sound that an ``Air`` has to keep, for a floor plan and its devices.
struct AirBounds: Sendable {
    /// The least gain of a path that is kept. With a weaker gain, the loudest device at the quietest
    /// microphone lies 35 dB under the noise of 3 kHz. The weakest waveform is lost some 20 dB before that.
    let leastGain: Double
    /// The longest delay of direct sound, in samples of the envelope.
    let longestDelay: Int
    /// The longest response of direct sound and tail, in samples of the envelope.
    let longestResponse: Int

    private static let bandHz = 3000.0
    private static let marginDecibels = 35.0
    /// The samples that filters, and waves that wait for direct sound, put before a tail.
    private static let spareSamples = 64

    init(_ devices: [AirDevice], plan: FloorPlan, ambience: Ambience) {
        let noise =
            devices.compactMap(\.microphone).map { SimulatedMicrophone.noisePower($0, in: ambience) }.min()
            ?? 0
        let loudest = devices.compactMap { $0.loudspeaker?.fullScaleDecibelsSPL }.max() ?? 0
        leastGain = Decibels.amplitude(
            Decibels.ofPower(noise * AirBounds.bandHz) - AirBounds.marginDecibels - loudest)
        let places = devices.flatMap { $0.route.waypoints.map(\.place) }
        var (low, high) = (places.first ?? .zero, places.first ?? .zero)
        for place in places {
            low = pointwiseMin(low, place)
            high = pointwiseMax(high, place)
        }
        let meters = ((high - low) * (high - low)).sum().squareRoot() + 1
        let perMeter = Band.envelopeRateHz / TimeWarp.speedOfSoundMetersPerSecond
        longestDelay = Int(meters * perMeter) + AirBounds.spareSamples
        let slowest = plan.coupled.decayPerSecond.min() ?? .infinity
        let tailSeconds = Reverberation(
            energyAtOnce: 1, decayPerSecond: slowest,
            secondDecayPerSecond: plan.rooms.count > 1 ? slowest : nil, onsetSeconds: 0
        ).seconds
        longestResponse = longestDelay + Int(tailSeconds * Band.envelopeRateHz) + AirBounds.spareSamples
    }
}
