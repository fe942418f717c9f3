import AudioIO

/// A merger of the sightings of several channels: each token is reported once, from the channel that heard it
/// best.
///
/// This is known only some time later; a single channel reports at once.
package struct SightingMerger: Sendable {
    private var pending: [ChannelSighting] = []
    /// The number of frames within which channels settle the same frame; 0 for a single channel.
    private let settlingFrames: Int

    package init(format: AudioFormat, channelCount: Int) {
        settlingFrames = channelCount == 1 ? 0 : 2 * format.sampleRateHz
    }

    package mutating func add(_ sighting: ChannelSighting) {
        let report = sighting.report
        let same = pending.firstIndex {
            ($0.channel != sighting.channel || $0.report.lane == report.lane)
                && $0.report.token == report.token
                && $0.report.profile == report.profile
                && abs($0.report.startSeconds - report.startSeconds) < report.durationSeconds / 2
        }
        guard let same else { return pending.append(sighting) }
        if report.snrDecibels > pending[same].report.snrDecibels {
            pending[same].report = report
            pending[same].channel = sighting.channel
        }
    }

    /// Returns the sightings that no channel can improve any more, after so many frames.
    package mutating func take(after frameCount: Int) -> [ChannelSighting] {
        let horizon = frameCount - settlingFrames
        return take { $0.foundFrame <= horizon }
    }

    /// Returns all sightings, at the end of the sound.
    package mutating func takeAll() -> [ChannelSighting] { take { _ in true } }

    private mutating func take(_ isDue: (ChannelSighting) -> Bool) -> [ChannelSighting] {
        let due = pending.filter(isDue).sorted { $0.report.startSample < $1.report.startSample }
        pending.removeAll(where: isDue)
        return due
    }
}
