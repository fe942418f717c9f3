import AudioIO

/// A whole sound file as one channel, for commands that need all of it at once.
enum MonoFile {
    /// The mean of all channels, and the sample rate.
    static func read(_ path: AudioPath) throws(AudioIOError) -> (samples: [Float], rateHz: Double) {
        let reader = try WAVReader(path)
        var block = AudioBlock(channelCount: reader.format.channelCount, capacity: 16_384)
        var samples: [Float] = []
        while try reader.read(into: &block) { block.appendMean(to: &samples) }
        return (samples, Double(reader.format.sampleRateHz))
    }

    /// 16 bits, one channel.
    static func write(_ samples: [Float], to path: AudioPath, rateHz: Double) throws(AudioIOError) {
        let format = AudioFormat(
            sampleRateHz: Int(rateHz.rounded()), channelCount: 1, frameCount: samples.count)
        let writer = try WAVWriter(path, format: format)
        try writer.write(AudioBlock(mono: samples))
        try writer.finish()
    }
}
