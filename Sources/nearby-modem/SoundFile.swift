import AudioIO

/// A whole sound file, for commands that need all of it at once.
enum SoundFile {
    /// Returns the mean of all channels, and the sample rate. It reports the file's faults on standard error.
    ///
    /// - Parameter rateHz: the sample rate, whatever the file's header says; `nil` to believe the header.
    static func readMono(
        _ path: AudioPath, rateHz: Int? = nil
    ) throws(AudioIOError) -> (samples: [Float], rateHz: Double) {
        let reader = try WAVReader(path, rateHz: rateHz)
        var samples: [Float] = []
        try forEachBlock(of: reader) { $0.appendMean(to: &samples) }
        return (samples, Double(reader.format.sampleRateHz))
    }

    /// Returns the samples in the shape `[channel][n]`, and the sample rate.
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

    /// Writes one channel of 16 bits, as a WAV or a FLAC according to the name.
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
