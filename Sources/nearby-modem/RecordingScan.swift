import AcousticModem
import AudioIO
import CommandOutput
import LiveModem
import Plotting

/// One pass over a recording that collects its spectrogram, its frames, and the echoes of each frame.
///
///     WAVReader ─▶ Spectrogram ───────────────────────▶ RecordingPlot
///        ├───────▶ MultichannelReceiver ─▶ sightings ─▶ FrameMark ─┘
///        └───────▶ BasebandHistory ──▶ EchoProfile ────┘
struct RecordingScan {
    private let source: WAVReader
    /// The part to draw, in frames of the recording.
    private let shown: Range<Int>
    /// The frame at which listening begins; it stops the same time after the end of `shown`.
    private let firstHeard: Int
    private let marginFrames: Int
    private let channel: Int?
    private var decoder: MultichannelReceiver
    private var spectrogram: Spectrogram
    private var history: BasebandHistory
    private var frames: [FrameMark] = []

    /// The number of frames for which words are kept: more would take memory by the hour, and nobody reads
    /// them.
    private static let mostReported = 200

    /// Throws: the errors of ``RecordingReader/held(by:_:of:channel:)``.
    init(
        _ source: WAVReader, profiles: [WaveformProfile], channel: Int?, fromSeconds: Double,
        forSeconds: Double?
    ) throws(CommandFailure) {
        let profiles = try RecordingReader.held(
            by: source.format, source.path, of: profiles, channel: channel)
        let format = source.format
        let rateHz = Double(format.sampleRateHz)
        let first = Int((fromSeconds * rateHz).rounded())
        shown = first..<(forSeconds.map { first + Int(($0 * rateHz).rounded(.up)) } ?? .max)
        // A frame that is shown in part must be heard as a whole.
        let longest = profiles.map { $0.durationSeconds() + WaveformProfile.standardGapSeconds }.max() ?? 0
        marginFrames = Int((longest + 2) * rateHz)
        let blockFrames = source.makeBlock().capacity
        firstHeard = max(0, first - marginFrames) / blockFrames * blockFrames
        decoder = MultichannelReceiver(
            profiles: profiles, format: format, channel: channel, waitsForBest: true, observer: nil)
        spectrogram = Spectrogram(
            format: format, channels: decoder.channels, bandHz: RecordingPlot.bandHz, frames: shown)
        history = BasebandHistory(format: format, channels: decoder.channels)
        (self.source, self.channel) = (source, channel)
    }

    /// Reads the whole recording. Throws: bad data if it ends before the part to be shown.
    consuming func run() throws -> RecordingPlot {
        var block = source.makeBlock()
        var progress = Progress(total: source.format.frameCount)
        defer { progress.clear() }
        let rateHz = Double(source.format.sampleRateHz)
        var position = 0
        while try source.read(into: &block) {
            spectrogram.add(block)
            if position >= firstHeard {
                history.add(block)
                mark(decoder.process(block))
            }
            position += block.frameCount
            if position - marginFrames >= shown.upperBound { break }
            progress.update(done: position, seconds: Double(position) / rateHz)
        }
        mark(decoder.finish())
        guard position > shown.lowerBound || shown.lowerBound == 0 else {
            let length = FixedPoint.text(Double(position) / rateHz, places: 1)
            throw CommandFailure(.badData, "\(source.path): is \(length) s long; --from is beyond its end")
        }
        return RecordingPlot(title: title, spectrogram: spectrogram.finish(), frames: frames)
    }

    private mutating func mark(_ sightings: [ChannelSighting]) {
        let rateHz = Double(source.format.sampleRateHz)
        let offset = Double(firstHeard) / rateHz
        for sighting in sightings {
            let report = sighting.report
            let start = report.startSeconds + offset
            let seconds = start...start + report.durationSeconds
            guard seconds.upperBound * rateHz > Double(shown.lowerBound),
                seconds.lowerBound * rateHz < Double(shown.upperBound)
            else { continue }
            var frame = FrameMark(seconds: seconds, bandHz: report.profile.bandHz)
            if frames.count < RecordingScan.mostReported {
                let words = FrameWords(
                    sighting: sighting, startSeconds: start, channelCount: source.format.channelCount)
                (frame.label, frame.details) = (words.label, words.details)
            }
            if frames.count < PicturePlot.mostStrips {
                frame.echoes = EchoProfile(of: report, channel: sighting.channel, in: history)
            }
            frames.append(frame)
        }
    }

    /// The title, such as "room.wav  48000 Hz  2 channels".
    private var title: String {
        let format = source.format
        var words = ["\(source.path)", "\(format.sampleRateHz) Hz"]
        if let channel { words.append("channel \(channel)") }
        if channel == nil, format.channelCount > 1 { words.append("mean of \(format.channelCount) channels") }
        return words.joined(separator: "  ")
    }
}
