import AcousticModem
import AudioIO
import CommandOutput
import LiveModem
import Signal

/// The work of `listen`, from a device's first frame to Ctrl-C.
///
///     ALSACapture ─▶ SideOutputs (--record, --snip), SoundHistory (level), LiveDisplay
///           └──────▶ MultichannelReceiver ─▶ HeardLine
struct Listening {
    /// The seconds of sound that are kept for the level of a token, if no snips are written.
    private static let levelSeconds = 3.0
    /// The time after which the receiver has begun all that it does in silence.
    private static let settlingSeconds = 10.0

    private let capture: ALSACapture
    private let path: AudioPath
    private var receiver: MultichannelReceiver
    private let traces: TraceCollector?
    private let isJSON: Bool
    private var side: SideOutputs
    private var history: SoundHistory
    private var display: LiveDisplay
    private var spectrum: BandSpectrum
    private var health: StreamHealth
    private var survey: SoundSurvey
    /// The clock that maps frames to wall-clock time.
    private var clock: SoundClock
    private var count = 0
    private let mostCount: Int
    /// The time from the program's start until the first frames were processed.
    private var startSeconds: Double?
    /// The frame at which code that silence does not need is released.
    private var releaseFrame = Int.max

    /// - Parameters:
    ///   - side: the other outputs, which begin here.
    ///   - count: the largest number of tokens to hear; `nil` for any number.
    init(
        capture: ALSACapture, path: AudioPath, receiver: consuming MultichannelReceiver,
        traces: TraceCollector?, isJSON: Bool, side: SideOutputs, count: Int?
    ) throws {
        (self.capture, self.path) = (capture, path)
        self.receiver = receiver
        (self.traces, self.isJSON) = (traces, isJSON)
        (self.side, mostCount) = (side, count ?? .max)
        try side.begin(format: capture.format)
        history = SoundHistory(
            format: capture.format,
            seconds: side.snips == nil ? Listening.levelSeconds : SnipFolder.historySeconds)
        display = LiveDisplay(format: capture.format)
        spectrum = BandSpectrum(sampleRateHz: Double(capture.format.sampleRateHz))
        health = capture.health
        clock = SoundClock(sampleRateHz: capture.format.sampleRateHz)
        survey = SoundSurvey(
            format: capture.format, bandsHz: self.receiver.profiles.map(\.bandHz), spectrum: spectrum)
        StartCode.giveBackLargeBlocks()
    }

    /// Returns how many tokens were heard. Throws: 141 if nobody reads them any more, 74 if they cannot be
    /// written; the other outputs are finished in any case.
    mutating func run(seconds: Double?) throws -> Int {
        var block = AudioBlock(channelCount: capture.format.channelCount, capacity: capture.periodFrames)
        let end = seconds.map { WallClock.monotonic + $0 }
        defer {
            side.finish(history)
            display.clear()
        }
        while !Interruption.hasCome, count < mostCount, end.map({ WallClock.monotonic < $0 }) ?? true,
            try capture.read(into: &block)
        {
            try StandardOutput.checkReader()
            tellHealth()
            guard block.frameCount > 0 else { continue }
            clock.add(
                frame: receiver.frameCount + block.missingFrames + block.frameCount + capture.waitingFrames,
                instant: WallClock.now, missing: block.missingFrames)
            side.write(block)
            history.add(block)
            // The survey is used only if no token was heard.
            if count == 0 { survey.add(block) }
            let sightings = receiver.process(block)
            if startSeconds == nil {
                startSeconds = WallClock.sinceStart
                releaseCode()
            }
            if receiver.frameCount >= releaseFrame {
                StartCode.letGo()
                releaseFrame = .max
            }
            try tell(sightings)
            side.snips?.write(history)
            display.update(block)
        }
        capture.stop()
        try tell(receiver.finish())
        return count
    }

    /// Releases code that is not needed now, and once more when the receiver has settled.
    private mutating func releaseCode() {
        StartCode.letGo()
        releaseFrame =
            receiver.frameCount + Int(Listening.settlingSeconds * Double(capture.format.sampleRateHz))
    }

    /// True if everything that was to be kept beside the tokens is there.
    var isComplete: Bool { !side.isIncomplete }

    private mutating func tell(_ sightings: [ChannelSighting]) throws {
        if !sightings.isEmpty {
            // Listening, decoding and reporting share little code; without this call, each would keep the
            // others' code in memory.
            StartCode.letGo()
            display.clear()
        }
        defer { if !sightings.isEmpty { releaseCode() } }
        for sighting in sightings where count < mostCount {
            count += 1
            let moment = moment(ofSeconds: sighting.report.startSeconds)
            let line = HeardLine(
                sighting: sighting, moment: moment, levelDBFS: level(sighting),
                channelCount: receiver.channels.count)
            try StandardOutput.write(isJSON ? line.json : line.text)
            side.snips?.keep(
                startSeconds: sighting.report.startSeconds,
                durationSeconds: sighting.report.durationSeconds, moment: moment,
                words:
                    "\(sighting.report.profile.name)_\(TokenDisplay.hex(sighting.report.token).prefix(64))",
                format: capture.format)
        }
        for lost in traces?.take() ?? [] {
            let moment = moment(ofSeconds: lost.startSeconds)
            side.snips?.keep(
                startSeconds: lost.startSeconds, durationSeconds: lost.profile.durationSeconds(),
                moment: moment,
                words: "\(lost.profile.name)_\(lost.outcome.rawValue)", format: capture.format)
        }
    }

    /// Returns the wall-clock time at which a sample sounded.
    private func moment(ofSeconds seconds: Double) -> Double {
        clock.instant(ofFrame: seconds * Double(capture.format.sampleRateHz)) ?? WallClock.now
    }

    private mutating func level(_ sighting: ChannelSighting) -> Double? {
        let rateHz = Double(capture.format.sampleRateHz)
        let first = max(0, Int(sighting.report.startSeconds * rateHz))
        let frames = first..<first + Int(sighting.report.durationSeconds * rateHz)
        return spectrum.levelDBFS(
            history.channel(sighting.channel - 1, frames: frames), bandHz: sighting.report.profile.bandHz)
    }

    /// Reports once that the device is gone, and once that it is back.
    private mutating func tellHealth() {
        let now = capture.health
        if let line = now.line(since: health) {
            display.clear()
            StandardError.write("\(path): \(line)")
        }
        health = now
    }

    /// Reports the result in one line, and all counters if `isFull` is true.
    func report(isFull: Bool) {
        let rateHz = Double(capture.format.sampleRateHz)
        let seconds = FixedPoint.text(Double(receiver.frameCount) / rateHz, places: 1)
        let reason = count == 0 ? survey.reason.map { "; \($0)" } ?? "" : ""
        StandardError.write(
            "\(path): received \(count) \(count == 1 ? "token" : "tokens") in \(seconds) s\(capture.health.counters)\(reason)"
        )
        guard isFull else { return }
        if let startSeconds {
            let milliseconds = FixedPoint.text(1000 * startSeconds, places: 0)
            StandardError.write("\(path): first sound processed \(milliseconds) ms after the start")
        }
        for counter in receiver.statistics.counters {
            StandardError.write("\(path): \(counter.name): \(counter.count)")
        }
    }
}
