import AudioIO
import Glibc

/// A token's waveform, repeated with silence between, at a level.
///
///     | waveform | gap | waveform | gap | … | waveform |
struct TokenTrack {
    /// The waveform, with a peak of 1.
    let waveform: [Float]
    let sampleRateHz: Int
    let repeatCount: Int
    let gapFrameCount: Int
    /// The peak amplitude, 1 at 0 dBFS.
    let gain: Float

    init(waveform: [Float], sampleRateHz: Int, repeatCount: Int, gapSeconds: Double, levelDBFS: Double) {
        self.waveform = waveform
        self.sampleRateHz = sampleRateHz
        self.repeatCount = repeatCount
        gapFrameCount = Int((gapSeconds * Double(sampleRateHz)).rounded())
        gain = Float(pow(10, levelDBFS / 20))
    }

    var frameCount: Int { repeatCount * waveform.count + (repeatCount - 1) * gapFrameCount }

    /// Writes one channel, and finishes the sink.
    func write(to sink: some AudioSink) throws(AudioIOError) {
        let sound = AudioBlock(mono: waveform.map { $0 * gain })
        for index in 0..<repeatCount {
            if index > 0 {
                var rest = gapFrameCount
                while rest > 0 {
                    let silence = AudioBlock(mono: [Float](repeating: 0, count: min(rest, 48_000)))
                    try sink.write(silence)
                    rest -= silence.frameCount
                }
            }
            try sink.write(sound)
        }
        try sink.finish()
    }
}
