import AudioIO
import CommandOutput
import Glibc

/// Lays a token track over a programme, on every channel alike, in constant memory.
///
/// The programme is not changed; it is followed by silence if the track is longer.
struct ProgrammeMixer {
    /// What the token's level came to.
    struct Levels: CustomStringConvertible {
        var askedDBFS: Double
        var lowestDBFS: Double
        /// Of the token's mean power.
        var meanDBFS: Double

        var description: String {
            let (asked, low, mean) = (
                FixedPoint.text(askedDBFS, places: 1), FixedPoint.text(lowestDBFS, places: 1),
                FixedPoint.text(meanDBFS, places: 1)
            )
            if low == asked { return "token level \(asked) dBFS throughout" }
            let lowest = lowestDBFS.isFinite ? "\(low) dBFS" : "silence"
            return
                "token level \(mean) dBFS on average, \(lowest) at the programme's peaks; asked \(asked) dBFS"
        }
    }

    let track: TokenTrack
    let programme: WAVReader

    /// The programme's, at least as long as the track.
    var format: AudioFormat {
        var format = programme.format
        format.frameCount = format.frameCount.map { max($0, track.frameCount) }
        return format
    }

    /// Everything, and the sink finished.
    func write(to sink: some AudioSink) throws(AudioIOError) -> Levels {
        var lowest: Float = track.gain
        var power = 0.0
        for index in 0..<track.repeatCount {
            if index > 0 { try copy(track.gapFrameCount, to: sink) }
            var block = try nextBlock(track.waveform.count)
            let gains = LevelEnvelope.gains(
                under: block, limit: track.gain, sampleRateHz: track.sampleRateHz)
            lowest = min(lowest, gains.min() ?? lowest)
            power += gains.reduce(0.0) { $0 + Double($1 * $1) }
            for channel in 0..<block.channelCount {
                block.withMutableChannel(channel) { samples in
                    for n in samples.indices { samples[n] += gains[n] * track.waveform[n] }
                }
            }
            try sink.write(block)
        }
        var block = programme.makeBlock()
        while try programme.read(into: &block) { try sink.write(block) }
        try sink.finish()
        return Levels(
            askedDBFS: 20 * log10(Double(track.gain)), lowestDBFS: 20 * log10(Double(lowest)),
            meanDBFS: 10 * log10(power / Double(track.repeatCount * track.waveform.count)))
    }

    private func copy(_ frameCount: Int, to sink: some AudioSink) throws(AudioIOError) {
        var rest = frameCount
        while rest > 0 {
            let block = try nextBlock(min(rest, 4096))
            try sink.write(block)
            rest -= block.frameCount
        }
    }

    /// The next `frameCount` frames of the programme, silence after its end.
    private func nextBlock(_ frameCount: Int) throws(AudioIOError) -> AudioBlock {
        var block = AudioBlock(channelCount: programme.format.channelCount, capacity: frameCount)
        _ = try programme.read(into: &block)
        let heard = block.frameCount
        block.resize(to: frameCount)
        for channel in 0..<block.channelCount {
            block.withMutableChannel(channel) { for n in heard..<frameCount { $0[n] = 0 } }
        }
        return block
    }
}
