import AcousticModem
import AudioIO

/// Several channels of sound, each with its own receiver. Two to eight channels are also heard jointly, for
/// DSSS frames that none of them hears alone.
///
/// A token that several channels hear is reported once, from the channel that heard it best. This is known
/// only some time later; a single channel reports at once.
public struct MultichannelReceiver: Sendable {
    /// The waveforms to listen for.
    public let profiles: [WaveformProfile]
    private var bank: ChannelBank
    private var merger: SightingMerger

    /// - Parameters:
    ///   - channel: the only channel to listen to, 1-based; `nil` for all.
    ///   - renewsTokens: as for ``ChannelReceiver``.
    public init(
        profiles: [WaveformProfile], format: AudioFormat, channel: Int? = nil, renewsTokens: Bool = false,
        observer: (any ReceiverObserver)? = nil
    ) {
        self.profiles = profiles
        let channels = channel.map { [$0] } ?? Array(1...format.channelCount)
        bank = ChannelBank(
            profiles: profiles, format: format, channels: channels, renewsTokens: renewsTokens,
            observer: observer)
        merger = SightingMerger(format: format, channelCount: channels.count)
    }

    /// The channels that are processed, 1-based.
    public var channels: [Int] { bank.channels }
    /// The number of frames taken so far, with those that were missing.
    public var frameCount: Int { bank.frameCount }
    /// The counters over all channels.
    public var statistics: ReceiverStatistics { bank.statistics }

    /// Takes the next frames, and before them the time of missing frames; returns the tokens that are settled
    /// by now.
    public mutating func process(_ block: AudioBlock) -> [ChannelSighting] {
        for sighting in bank.process(block) { merger.add(sighting) }
        return merger.take(after: frameCount)
    }

    /// Ends the sound: nothing may follow.
    public mutating func finish() -> [ChannelSighting] {
        for sighting in bank.finish() { merger.add(sighting) }
        return merger.takeAll()
    }
}
