import Signal

/// A frame that one of several channels heard.
package protocol MergeableReport: Sendable {
    var report: DecodeReport { get set }
    /// The channel's number.
    var channel: Int { get set }
    /// The number of frames of sound that had been taken when the report came out.
    var foundEnd: SamplePosition { get }
}

/// A merger of the reports of several channels: each frame is reported once.
package struct ReportMerger<Report: MergeableReport>: Sendable {
    private var pending: [Report] = []
    /// The reports given lately, which other channels may still follow.
    private var reported: [Report] = []
    /// True if there are neither pending nor reported ones, as most of the time. A flag, because
    /// ``take(after:)`` is called for every few milliseconds of sound, and generic arrays are slow to ask.
    private var isEmpty = true
    /// The number of frames of sound for which a report waits, and for which it is remembered afterwards.
    /// Both are 0 for a single channel.
    private let waitingFrames: Int
    private let rememberedFrames: Int

    /// The time within which channels settle the same frame, and the time for which a report is remembered:
    /// four seconds that were heard as one channel's may be heard again as several.
    private static var settlingSeconds: Double { 2 }
    private static var rememberedSeconds: Double { 6 }

    /// - Parameters:
    ///   - sampleRateHz: the rate of the frames of sound.
    ///   - waitsForBest: true if each frame is reported from the channel that heard it best, once that is
    ///     known; false if it is reported at once.
    package init(sampleRateHz: Int, channelCount: Int, waitsForBest: Bool) {
        func frames(_ seconds: Double) -> Int {
            channelCount == 1 ? 0 : Int(seconds * Double(sampleRateHz))
        }
        waitingFrames = waitsForBest ? frames(Self.settlingSeconds) : 0
        rememberedFrames = frames(Self.rememberedSeconds)
    }

    package mutating func add(_ report: Report) {
        if reported.contains(where: { Self.areSame($0, report) }) { return }
        guard let same = pending.firstIndex(where: { Self.areSame($0, report) }) else {
            isEmpty = false
            return pending.append(report)
        }
        if report.report.snrDecibels > pending[same].report.snrDecibels {
            pending[same].report = report.report
            pending[same].channel = report.channel
        }
    }

    /// Returns true if both are of the same frame.
    private static func areSame(_ one: Report, _ other: Report) -> Bool {
        let (a, b) = (one.report, other.report)
        return (one.channel != other.channel || a.lane == b.lane) && a.token == b.token
            && a.profile == b.profile && abs(a.startSeconds - b.startSeconds) < b.durationSeconds / 2
    }

    /// Returns the reports that are due after so many frames of sound.
    package mutating func take(after frameCount: SamplePosition) -> [Report] {
        if isEmpty { return [] }
        reported.removeAll { $0.foundEnd <= frameCount - rememberedFrames }
        let horizon = frameCount - waitingFrames
        let due = take { $0.foundEnd <= horizon }
        if rememberedFrames > 0 { reported += due }
        isEmpty = pending.isEmpty && reported.isEmpty
        return due
    }

    /// Returns all reports, at the end of the sound.
    package mutating func takeAll() -> [Report] {
        defer { isEmpty = reported.isEmpty }
        return take { _ in true }
    }

    private mutating func take(_ isDue: (Report) -> Bool) -> [Report] {
        let due = pending.filter(isDue).sorted { $0.report.startSample < $1.report.startSample }
        pending.removeAll(where: isDue)
        return due
    }
}
