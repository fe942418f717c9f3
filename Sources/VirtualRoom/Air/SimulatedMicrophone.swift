import ChannelSim
import Signal

/// One device's microphone. It turns the band's envelope, the programmes, clicks and noise into samples.
struct SimulatedMicrophone: Sendable {
    private let gain: Double
    private var synthesiser: BandSynthesiser
    private let sigma: Float
    private var noise: NoiseSource
    private var clicks: ClickSource
    /// True if the synthesiser still holds sound.
    private var isRinging = false

    init(_ microphone: Microphone, in ambience: Ambience, shape: BlockShape, seed: UInt64) {
        gain = Decibels.amplitude(-microphone.fullScaleDecibelsSPL)
        synthesiser = BandSynthesiser(envelopeBlockCount: shape.envelopeCount)
        let density = SimulatedMicrophone.noisePower(microphone, in: ambience)
        // A sine of 0 dB SPL has the mean square gain² / 2.
        sigma = Float((density * Band.sampleRateHz / 2 / 2).squareRoot() * gain)
        var random = SplitMix64(seed: seed)
        noise = NoiseSource(seed: random.next())
        clicks = ClickSource(
            perSecond: ambience.clicksPerSecond,
            amplitude: Decibels.amplitude(ambience.clickDecibelsSPL) * gain / 2.0.squareRoot(),
            seed: random.next())
    }

    /// Returns the power of the microphone's and the room's noise in a hertz, relative to 0 dB SPL.
    static func noisePower(_ microphone: Microphone, in ambience: Ambience) -> Double {
        Decibels.power(microphone.noiseDecibelsSPLPerHertz)
            + Decibels.power(ambience.noiseDecibelsSPLPerHertz)
    }

    /// Sets the block to the sound in the band; `nil` means that there is none.
    mutating func hear(_ envelope: UnsafePointer<Complex>?, into samples: inout [Float]) {
        if envelope != nil || isRinging {
            synthesiser.process(envelope, gain: Float(gain), into: &samples)
            isRinging = envelope != nil
        } else {
            samples.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
        }
    }

    /// Adds a programme's block.
    ///
    /// - Parameters:
    ///   - gains: the gains for a level of 0 dB SPL, at the beginning of each hop and at the end of the last
    ///     one.
    ///   - position: the block's position in the programme.
    func add(_ programme: [Float], from position: Int, gains: [Double], to samples: inout [Float]) {
        let scale = gain / 2.0.squareRoot()
        samples.withUnsafeMutableBufferPointer { out in
            programme.withUnsafeBufferPointer { programme in
                var place = position % programme.count
                for (hop, (from, to)) in zip(gains, gains.dropFirst()).enumerated() {
                    var gain = Float(from * scale)
                    let step = Float((to - from) * scale) / Float(BlockShape.samplesPerHop)
                    for i in hop * BlockShape.samplesPerHop..<(hop + 1) * BlockShape.samplesPerHop {
                        out[i] += gain * programme[place]
                        gain += step
                        place += 1
                        if place == programme.count { place = 0 }
                    }
                }
            }
        }
    }

    mutating func addNoise(to samples: inout [Float]) {
        clicks.add(to: &samples)
        if sigma > 0 { noise.add(to: &samples, sigma: sigma) }
    }
}
