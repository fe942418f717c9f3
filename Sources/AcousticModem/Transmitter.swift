/// Token → samples. Opposite: ``Receiver``.
public struct Transmitter: Sendable {
    /// The profile that frames are sent in.
    public let profile: WaveformProfile
    /// The lane, 0 to 3: receivers can tell frames on different lanes apart when they overlap. ggwave and
    /// `fsk2` have none.
    public let lane: Int
    /// The sample rate of the waveform.
    public let sampleRateHz: Double

    /// - Parameters:
    ///   - lane: 0 to 3. Boxes that overlap in time are best kept on different lanes.
    ///   - sampleRateHz: at least ``WaveformProfile/minimumSampleRateHz``; the waveform is made at this rate,
    ///     not resampled.
    public init(profile: WaveformProfile, lane: Int = 0, sampleRateHz: Double = 48_000) {
        precondition(sampleRateHz >= profile.minimumSampleRateHz, "the sample rate must hold the band")
        self.profile = profile
        self.lane = lane
        self.sampleRateHz = sampleRateHz
    }

    /// Returns a waveform of peak amplitude 1, `profile.durationSeconds(tokenByteCount:)` long.
    ///
    /// - Parameter delaySamples: the delay of the frame after the first sample, 0 ≤ delay < 1.
    ///
    /// Throws ``TokenError`` unless ``WaveformProfile/tokenByteCounts`` allows the token's number of bytes.
    public func waveform(of token: [UInt8], delaySamples: Double = 0) throws(TokenError) -> [Float] {
        switch profile.kind {
        case .dsss(let profile):
            let chips = try DSSSFrameEncoder(profile: profile, lane: lane).chips(of: token)  // [Int8]  ±1
            return DSSSModulator(profile: profile, sampleRateHz: sampleRateHz).modulate(
                chips, delaySamples: delaySamples)
        case .fsk(let profile):
            let tones = try FSKFrameEncoder(profile: profile, lane: lane).tones(of: token)
            return FSKModulator(profile: profile, sampleRateHz: sampleRateHz).modulate(
                tones, delaySamples: delaySamples)
        case .ggwave(let profile):
            let chunks = try GGWaveFrameEncoder(profile: profile).chunks(of: token)  // [[UInt8]]  nibbles
            let samples = GGWaveModulator(profile: profile, sampleRateHz: sampleRateHz).modulate(
                chunks, delaySamples: delaySamples)
            let peak = samples.reduce(0) { max($0, abs($1)) }
            return samples.map { $0 / peak }
        case .uart(let profile):
            guard UARTProfile.byteCounts.contains(token.count) else {
                throw .bounded(token.count, allowed: UARTProfile.byteCounts)
            }
            return UARTModulator(profile: profile, sampleRateHz: sampleRateHz).modulate(
                token, delaySamples: delaySamples)
        }
    }
}
