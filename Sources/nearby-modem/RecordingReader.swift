import AcousticModem
import AudioIO
import CommandOutput
import LiveModem

/// A recording and its decoder, block by block. A recording with many channels is read several times
/// (``ChannelGroups``).
final class RecordingReader {
    /// A function that opens the recording from its beginning.
    typealias Opening = () throws(AudioIOError) -> WAVReader

    private let open: Opening
    private var source: WAVReader
    private var groups: ChannelGroups
    private var block: AudioBlock
    private var survey: SoundSurvey
    private var hasHeard = false
    private var isFinished = false
    /// The error that ended reading, until it is thrown.
    private var failure: AudioIOError?
    /// The number of completed readings, the number of frames of the first, and those of the present one.
    private var readingsDone = 0
    private var frameCount: Int?
    private var framesOfReading = 0

    static let highestSampleRateHz = 768_000

    /// - Parameters:
    ///   - options: as for `ChannelReceiver`.
    ///   - open: a function that is called again for each further reading.
    ///
    /// Throws: the errors of ``held(by:_:of:channel:)``; an ``AudioIOError`` if the recording cannot be
    /// opened.
    init(
        profiles: [WaveformProfile], channel: Int?, options: ReceiverOptions,
        observer: (any ReceiverObserver)?, open: @escaping Opening
    ) throws {
        let source = try open()
        let profiles = try RecordingReader.held(
            by: source.format, source.path, of: profiles, channel: channel)
        let format = source.format
        (self.source, self.open) = (source, open)
        groups = ChannelGroups(
            profiles: profiles, format: format,
            channels: channel.map { [$0] } ?? Array(1...format.channelCount),
            options: options, observer: observer, isReadAgain: source.canBeReadAgain)
        block = source.makeBlock()
        survey = SoundSurvey(format: format, bandsHz: profiles.map(\.bandHz))
    }

    /// The reason why no token was heard, as far as the sound shows it; `nil` if nothing is wrong with it. It
    /// is used only if none was heard.
    var reasonForSilence: String? { survey.reason }
    /// A remark on samples above full scale, whether tokens were heard or not; `nil` if there are none.
    var remarkOnPeak: String? { survey.remarkOnPeak }

    /// Returns the profiles that a recording's rate can hold. The others are named on standard error: one
    /// missing band is no reason to ignore the rest.
    ///
    /// Throws: bad data, or unavailable for a device, if the recording has no such channel or cannot hold any
    /// of the bands; bad data if its rate is above any sound card's.
    static func held(
        by format: AudioFormat, _ path: AudioPath, of profiles: [WaveformProfile], channel: Int?
    ) throws(CommandFailure) -> [WaveformProfile] {
        let isDevice = if case .device = path { true } else { false }
        let status = isDevice ? ExitStatus.unavailable : .badData
        if let channel, channel > format.channelCount {
            let advice = isDevice ? "; capture more with --channels" : "; --channel names one of them"
            throw CommandFailure(
                status, "\(path): has no channel \(channel), only \(format.channelCount)\(advice)")
        }
        let tooHigh = profiles.filter { Double(format.sampleRateHz) < $0.minimumSampleRateHz }
        if let profile = tooHigh.first, tooHigh.count == profiles.count {
            throw CommandFailure(
                status,
                "\(path): at \(format.sampleRateHz) Hz it cannot hold \(profile.bandDescription); "
                    + (isDevice ? "choose another device or profile" : "record at 44100 Hz or more"))
        }
        guard format.sampleRateHz <= RecordingReader.highestSampleRateHz else {
            throw CommandFailure(
                .badData,
                "\(path): states a sample rate of \(format.sampleRateHz) Hz; "
                    + "at most \(RecordingReader.highestSampleRateHz) Hz is decoded, resample it to 48000 Hz first"
            )
        }
        guard !tooHigh.isEmpty else { return profiles }
        let names = tooHigh.map(\.name).joined(separator: ", ")
        StandardError.write(
            "\(path): at \(format.sampleRateHz) Hz it cannot hold \(names); listening for the others")
        return profiles.filter { !tooHigh.contains($0) }
    }

    var format: AudioFormat { source.format }
    /// The number of frames of the recording, in proportion to the completed share of all its readings.
    var framesRead: Int { (readingsDone * (frameCount ?? 0) + framesOfReading) / groups.readingCount }
    var secondsRead: Double { Double(framesRead) / Double(format.sampleRateHz) }
    func reportFaults() { source.reportFaults() }
    var statistics: ReceiverStatistics { groups.statistics }

    /// Returns the sightings of the next block, mostly none; `nil` after the end.
    ///
    /// Throws: the source's error, once all earlier sightings have been returned.
    func next() throws(AudioIOError) -> [ChannelSighting]? {
        guard !isFinished else {
            if let failure { throw failure }
            return nil
        }
        do throws(AudioIOError) {
            if try readBlock() {
                look(at: block)
                let sightings = groups.process(block)
                hasHeard = hasHeard || !sightings.isEmpty
                return sightings
            }
        } catch {
            failure = error
        }
        return endReading()
    }

    private func look(at block: AudioBlock) {
        guard readingsDone == 0 else { return }
        if hasHeard { survey.addPeak(block) } else { survey.add(block) }
    }

    /// Reads a block. Every reading has as many frames as the first, because a recording may still be
    /// growing.
    private func readBlock() throws(AudioIOError) -> Bool {
        guard try source.read(into: &block) else { return false }
        if let frameCount { block.resize(to: min(block.frameCount, frameCount - framesOfReading)) }
        framesOfReading += block.frameCount
        return block.frameCount > 0
    }

    private func endReading() -> [ChannelSighting] {
        if let sightings = groups.endReading() {
            isFinished = true
            return sightings
        }
        frameCount = frameCount ?? framesOfReading
        (readingsDone, framesOfReading) = (readingsDone + 1, 0)
        do throws(AudioIOError) {
            let again = try open()
            guard again.format.channelCount == format.channelCount else {
                throw AudioIOError(.badData, source.path, "was written to while it was read; decode it again")
            }
            (source, failure) = (again, nil)
            return []
        } catch {
            (failure, isFinished) = (error, true)
            return groups.endAll()
        }
    }
}
