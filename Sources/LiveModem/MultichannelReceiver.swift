import AcousticModem
import AudioIO
import Signal

/// Several channels of sound, each with its own receiver. Two to eight channels are also heard jointly, for
/// DSSS frames that none of them hears alone. Channels that are the same sound count as one.
///
/// A token that several channels hear is reported once: at once, from the best of those that heard it by
/// then; or later, from the best of all.
public struct MultichannelReceiver: Sendable {
    /// The waveforms to listen for.
    public let profiles: [WaveformProfile]
    /// The channels that are processed, 1-based.
    public let channels: [Int]
    private let format: AudioFormat
    private let options: ReceiverOptions
    private let observer: (any ReceiverObserver)?
    private var bank: ChannelBank
    private var merger: ReportMerger<ChannelSighting>
    /// All channels, as long as they are the same sound.
    private var twins: TwinChannels?
    /// The counters of the time when they were.
    private var past = ReceiverStatistics()

    /// - Parameters:
    ///   - channel: the only channel to listen to, 1-based; `nil` for all.
    ///   - options: as for ``ChannelReceiver``.
    ///   - waitsForBest: true if each token is to be reported from the channel that heard it best, which is
    ///     known two seconds later.
    public init(
        profiles: [WaveformProfile], format: AudioFormat, channel: Int? = nil,
        options: ReceiverOptions = ReceiverOptions(),
        waitsForBest: Bool = false, observer: (any ReceiverObserver)? = nil
    ) {
        (self.profiles, self.format, self.options) = (profiles, format, options)
        self.observer = observer
        channels = channel.map { [$0] } ?? Array(1...format.channelCount)
        twins = channels.count > 1 ? TwinChannels(format: format) : nil
        bank = ChannelBank(
            profiles: profiles, format: format, channels: [channels[0]], options: options,
            observer: observer)
        merger = ReportMerger(
            sampleRateHz: format.sampleRateHz, channelCount: channels.count, waitsForBest: waitsForBest)
    }

    /// The number of frames taken so far, with those that were missing.
    public var frameCount: Int { bank.frameCount }

    /// The counters over all channels.
    public var statistics: ReceiverStatistics {
        var all = bank.statistics
        all.add(past)
        return all
    }

    /// Takes the next frames, and before them the time of missing frames; returns the tokens that are settled
    /// by now.
    public mutating func process(_ block: AudioBlock) -> [ChannelSighting] {
        if twins?.take(block) == false { separate() }
        for sighting in bank.process(block) { merger.add(sighting) }
        return merger.take(after: SamplePosition(frameCount))
    }

    /// Hears each channel by itself from now on, and again what was heard as one.
    private mutating func separate() {
        past = bank.statistics
        bank = ChannelBank(
            profiles: profiles, format: format, channels: channels, options: options,
            observer: observer)
        for block in twins!.past {
            for sighting in bank.process(block) { merger.add(sighting) }
        }
        twins = nil
    }

    /// Ends the sound: nothing may follow.
    public mutating func finish() -> [ChannelSighting] {
        for sighting in bank.finish() { merger.add(sighting) }
        return merger.takeAll()
    }
}
