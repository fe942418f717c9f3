import AudioIO

/// A merger of the sightings of several channels: each token is reported once.
package struct SightingMerger: Sendable {
    private var pending: [ChannelSighting] = []
    /// The sightings that were reported lately, which other channels may still follow.
    private var reported: [ChannelSighting] = []
    /// The number of frames for which a report waits, and for which it is remembered afterwards. Both are 0
    /// for a single channel.
    private let waitingFrames: Int
    private let rememberedFrames: Int

    /// The time within which channels settle the same frame.
    private static let settlingSeconds = 2.0

    /// - Parameter waitsForBest: true if each token is reported from the channel that heard it best, once
    ///   that is known; false if it is reported at once.
    package init(format: AudioFormat, channelCount: Int, waitsForBest: Bool) {
        func frames(_ seconds: Double) -> Int {
            channelCount == 1 ? 0 : Int(seconds * Double(format.sampleRateHz))
        }
        waitingFrames = waitsForBest ? frames(SightingMerger.settlingSeconds) : 0
        rememberedFrames = frames(SightingMerger.settlingSeconds + TwinChannels.keptSeconds)
    }

    package mutating func add(_ sighting: ChannelSighting) {
        if reported.contains(where: { SightingMerger.areSame($0, sighting) }) { return }
        guard let same = pending.firstIndex(where: { SightingMerger.areSame($0, sighting) }) else {
            return pending.append(sighting)
        }
        if sighting.report.snrDecibels > pending[same].report.snrDecibels {
            pending[same].report = sighting.report
            pending[same].channel = sighting.channel
        }
    }

    /// Returns true if both are of the same frame.
    private static func areSame(_ one: ChannelSighting, _ other: ChannelSighting) -> Bool {
        let (a, b) = (one.report, other.report)
        return (one.channel != other.channel || a.lane == b.lane) && a.token == b.token
            && a.profile == b.profile && abs(a.startSeconds - b.startSeconds) < b.durationSeconds / 2
    }

    /// Returns the sightings that are due after so many frames.
    package mutating func take(after frameCount: Int) -> [ChannelSighting] {
        reported.removeAll { $0.foundFrame <= frameCount - rememberedFrames }
        let horizon = frameCount - waitingFrames
        let due = take { $0.foundFrame <= horizon }
        if rememberedFrames > 0 { reported += due }
        return due
    }

    /// Returns all sightings, at the end of the sound.
    package mutating func takeAll() -> [ChannelSighting] { take { _ in true } }

    private mutating func take(_ isDue: (ChannelSighting) -> Bool) -> [ChannelSighting] {
        let due = pending.filter(isDue).sorted { $0.report.startSample < $1.report.startSample }
        pending.removeAll(where: isDue)
        return due
    }
}
