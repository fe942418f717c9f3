import AudioIO

/// A whole sound file, for commands that need all of it at once.
enum SoundFile {
    /// The mean of all channels, and the sample rate. Says on standard error what was wrong with the file.
    ///
    /// - Parameter rateHz: the sample rate, whatever the file's header says; nil to believe the header.
    static func readMono(
        _ path: AudioPath, rateHz: Int? = nil
    ) throws(AudioIOError) -> (samples: [Float], rateHz: Double) {
        let reader = try WAVReader(path, rateHz: rateHz)
        var samples: [Float] = []
        try forEachBlock(of: reader) { $0.appendMean(to: &samples) }
        return (samples, Double(reader.format.sampleRateHz))
    }

    /// Shape of what is read: `[channel][n]`; and the sample rate.
    static func readChannels(
        _ path: AudioPath
    ) throws(AudioIOError) -> (channels: [[Float]], rateHz: Double) {
        let reader = try WAVReader(path)
        var channels = [[Float]](repeating: [], count: reader.format.channelCount)
        try forEachBlock(of: reader) { block in
            for index in channels.indices { block.withChannel(index) { channels[index] += $0 } }
        }
        return (channels, Double(reader.format.sampleRateHz))
    }

    private static func forEachBlock(
        of reader: WAVReader, _ body: (AudioBlock) -> Void
    ) throws(AudioIOError) {
        var block = AudioBlock(channelCount: reader.format.channelCount, capacity: 16_384)
        defer { reader.reportFaults() }
        while try reader.read(into: &block) { body(block) }
    }

    /// 16 bits, one channel, a WAV or a FLAC by its name.
    ///
    /// - Parameter inputs: every file that the command reads.
    static func writeMono(
        _ samples: [Float], to path: AudioPath, rateHz: Double, inputs: [AudioPath]
    ) throws(AudioIOError) {
        let format = AudioFormat(
            sampleRateHz: Int(rateHz.rounded()), channelCount: 1, frameCount: samples.count)
        switch try SoundContainer(path) {
        case .wav: try write(samples, to: WAVWriter(path, format: format, inputs: inputs))
        case .flac: try write(samples, to: FLACWriter(path, format: format, inputs: inputs))
        }
    }

    private static func write(_ samples: [Float], to sink: some AudioSink) throws(AudioIOError) {
        try sink.write(AudioBlock(mono: samples))
        try sink.finish()
    }
}
