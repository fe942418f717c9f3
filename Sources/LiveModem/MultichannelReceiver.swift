import AcousticModem
import AudioIO

/// Several channels of sound, each through a receiver of its own.
///
/// A token heard on several channels is reported once, from the channel that heard it best. That can only be known
/// some time later; a single channel reports at once.
public struct MultichannelReceiver: Sendable {
    /// Those listened to, 1-based.
    public let channels: [Int]
    /// The waveforms that are listened for.
    public let profiles: [WaveformProfile]
    private var receivers: [ChannelReceiver]
    private var pending: [Sighting] = []
    /// Frames taken so far, and those that were missing.
    public private(set) var frameCount = 0
    /// Channels settle the same frame within this time of each other.
    private let settlingFrames: Int

    /// - Parameter channel: the only one to listen to, 1-based; nil for all.
    public init(
        profiles: [WaveformProfile], format: AudioFormat, channel: Int? = nil,
        observer: (any ReceiverObserver)? = nil
    ) {
        self.profiles = profiles
        channels = channel.map { [$0] } ?? Array(1...format.channelCount)
        // Copies share their tables.
        let receiver = ChannelReceiver(
            profiles: profiles, sampleRateHz: format.sampleRateHz, observer: observer)
        receivers = channels.map { _ in receiver }
        settlingFrames = 2 * format.sampleRateHz
    }

    /// Takes the next frames, and before them the time of those that are missing; returns the tokens that are settled by now.
    public mutating func process(_ block: AudioBlock) -> [Sighting] {
        skip(frames: block.missingFrames)
        frameCount += block.frameCount
        for index in receivers.indices {
            let reports = block.withChannel(channels[index] - 1) { receivers[index].process($0) }
            add(reports, channel: channels[index])
        }
        let horizon = receivers.count == 1 ? frameCount : frameCount - settlingFrames
        return take { $0.foundFrame <= horizon }
    }

    /// The end of the sound.
    public mutating func finish() -> [Sighting] {
        for index in receivers.indices { add(receivers[index].finish(), channel: channels[index]) }
        return take { _ in true }
    }

    private mutating func skip(frames: Int) {
        guard frames > 0 else { return }
        frameCount += frames
        for index in receivers.indices {
            add(receivers[index].skip(frames: frames), channel: channels[index])
        }
    }

    /// Counters over all channels.
    public var statistics: ReceiverStatistics {
        receivers.reduce(into: ReceiverStatistics()) { total, one in total.add(one.statistics) }
    }

    private mutating func add(_ reports: [DecodeReport], channel: Int) {
        for report in reports {
            let same = pending.firstIndex {
                $0.channel != channel && $0.report.token == report.token
                    && $0.report.profile == report.profile
                    && abs($0.report.startSeconds - report.startSeconds) < report.durationSeconds / 2
            }
            guard let same else {
                pending.append(Sighting(report: report, channel: channel, foundFrame: frameCount))
                continue
            }
            if report.snrDecibels > pending[same].report.snrDecibels {
                pending[same].report = report
                pending[same].channel = channel
            }
        }
    }

    private mutating func take(_ isDue: (Sighting) -> Bool) -> [Sighting] {
        let due = pending.filter(isDue).sorted { $0.report.startSample < $1.report.startSample }
        pending.removeAll(where: isDue)
        return due
    }
}
