import AcousticModem
import AudioIO

/// Several channels of sound, each through a receiver of its own.
///
/// A token heard on several channels is reported once, from the channel that heard it best. That can only be known
/// some time later; a single channel reports at once.
public struct MultichannelReceiver: Sendable {
    /// The waveforms that are listened for.
    public let profiles: [WaveformProfile]
    private var bank: ChannelBank
    private var merger: SightingMerger

    /// - Parameter channel: the only one to listen to, 1-based; nil for all.
    public init(
        profiles: [WaveformProfile], format: AudioFormat, channel: Int? = nil,
        observer: (any ReceiverObserver)? = nil
    ) {
        self.profiles = profiles
        let channels = channel.map { [$0] } ?? Array(1...format.channelCount)
        bank = ChannelBank(profiles: profiles, format: format, channels: channels, observer: observer)
        merger = SightingMerger(format: format, channelCount: channels.count)
    }

    /// Those listened to, 1-based.
    public var channels: [Int] { bank.channels }
    /// Frames taken so far, and those that were missing.
    public var frameCount: Int { bank.frameCount }
    /// Counters over all channels.
    public var statistics: ReceiverStatistics { bank.statistics }

    /// Takes the next frames, and before them the time of those that are missing; returns the tokens that are settled by now.
    public mutating func process(_ block: AudioBlock) -> [Sighting] {
        for sighting in bank.process(block) { merger.add(sighting) }
        return merger.take(after: frameCount)
    }

    /// The end of the sound: nothing may follow.
    public mutating func finish() -> [Sighting] {
        for sighting in bank.finish() { merger.add(sighting) }
        return merger.takeAll()
    }
}
