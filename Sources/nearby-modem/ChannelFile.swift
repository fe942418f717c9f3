import AudioIO

/// A whole sound file, channel by channel.
enum ChannelFile {
    /// Shape of what is read: `[channel][n]`; and the sample rate.
    static func read(_ path: AudioPath) throws(AudioIOError) -> (channels: [[Float]], rateHz: Double) {
        let reader = try WAVReader(path)
        var block = AudioBlock(channelCount: reader.format.channelCount, capacity: 16_384)
        var channels = [[Float]](repeating: [], count: reader.format.channelCount)
        while try reader.read(into: &block) {
            for index in channels.indices {
                block.withChannel(index) { channels[index] += $0 }
            }
        }
        return (channels, Double(reader.format.sampleRateHz))
    }
}
