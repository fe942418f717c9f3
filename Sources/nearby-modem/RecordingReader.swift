import AcousticModem
import AudioIO

/// A recording and the decoder it goes through, block by block.
final class RecordingReader {
    private let source: WAVReader
    private var decoder: RecordingDecoder
    private var block: AudioBlock
    private var isFinished = false
    private(set) var framesRead = 0

    static let highestSampleRateHz = 768_000

    /// Throws: as ``check(_:profiles:channel:)``.
    init(
        _ source: WAVReader, profiles: [WaveformProfile], channel: Int?, observer: (any ReceiverObserver)?
    ) throws(CommandFailure) {
        try RecordingReader.check(source, profiles: profiles, channel: channel)
        let format = source.format
        self.source = source
        decoder = RecordingDecoder(
            profiles: profiles, format: format, channel: channel, observer: observer)
        block = source.makeBlock()
    }

    /// Whether a recording can be decoded.
    ///
    /// Throws: bad data when the recording has no such channel or cannot hold the band, or its rate is
    /// beyond any sound card's.
    static func check(
        _ source: WAVReader, profiles: [WaveformProfile], channel: Int?
    ) throws(CommandFailure) {
        let format = source.format
        if let channel, channel > format.channelCount {
            throw CommandFailure(
                .badData, "\(source.path): has no channel \(channel); it has \(format.channelCount)")
        }
        for profile in profiles where Double(format.sampleRateHz) < profile.minimumSampleRateHz {
            throw CommandFailure(
                .badData,
                "\(source.path): at \(format.sampleRateHz) Hz it cannot hold \(profile.bandDescription); "
                    + "record at 44100 Hz or more")
        }
        guard format.sampleRateHz <= RecordingReader.highestSampleRateHz else {
            throw CommandFailure(
                .badData,
                "\(source.path): says it was recorded at \(format.sampleRateHz) Hz; "
                    + "at most \(RecordingReader.highestSampleRateHz) Hz is decoded, resample it to 48000 Hz first"
            )
        }
    }

    var format: AudioFormat { source.format }
    var secondsRead: Double { Double(framesRead) / Double(format.sampleRateHz) }
    var replacedSampleCount: Int { source.replacedSampleCount }
    var statistics: ReceiverStatistics { decoder.statistics }

    /// What the next block brought out, mostly nothing; nil after the end.
    func next() throws(AudioIOError) -> [RecordingDecoder.Sighting]? {
        guard !isFinished else { return nil }
        guard try source.read(into: &block) else {
            isFinished = true
            return decoder.finish()
        }
        framesRead += block.frameCount
        return decoder.process(block)
    }
}
