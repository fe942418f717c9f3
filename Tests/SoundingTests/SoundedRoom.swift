import ChannelSim
import Glibc
import Signal

@testable import Sounding

/// A recording of a sounding through a channel whose parameters are all known.
struct SoundedRoom {
    var path = SoundPath()
    /// The player's effect on its samples.
    var player: (Float) -> Float = { $0 }
    var gainDecibels = -20.0
    /// The level of the noise in 18.5–20 kHz.
    var noiseDBFS = -80.0
    var leadSeconds = 1.0
    var trailSeconds = 1.0
    var sampleRateHz = 48_000.0

    func recording(seed: UInt64 = 1) -> [Float] {
        let played = SoundingSignal().samples.map(player)
        guard let arrival = path.arrival(of: played, fromHz: 48_000, toHz: sampleRateHz, seed: seed) else {
            return []
        }
        let lead = Int(leadSeconds * sampleRateHz)
        let trail = Int(trailSeconds * sampleRateHz)
        let sigma = Float((pow(10, noiseDBFS / 10) * sampleRateHz / 3000).squareRoot())
        var noise = NoiseSource(seed: seed ^ 0xABCD)
        var recording = noise.samples(lead + arrival.samples.count + trail, sigma: sigma)
        let gain = Float(pow(10, gainDecibels / 20))
        for (i, x) in arrival.samples.enumerated() { recording[lead + i] += gain * x }
        return recording
    }

    func report(seed: UInt64 = 1) throws -> SoundingReport {
        try SoundingAnalysis(recording(seed: seed), sampleRateHz: sampleRateHz).report()
    }
}
