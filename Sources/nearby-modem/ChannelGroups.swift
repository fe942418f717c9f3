import AcousticModem
import AudioIO
import LiveModem
import Signal

/// The channels of a recording in groups. A recording with many channels is read once for each group, so that
/// the memory does not grow with their number. Tokens come out as if all channels were heard together.
///
///     reading 1   channels 1 … 8   ─▶ heard ──┐
///     reading 2   channels 9 … 16  ─▶ heard ──┤
///     the last    channels 17 … 24 ─▶ ────────┴─▶ ReportMerger, block by block
struct ChannelGroups {
    /// The megabytes that a channel may hold for each family of waveforms, and those that all channels of a
    /// group may hold together.
    private static let megabytes = (family: 3, group: 144)

    let readingCount: Int
    private let profiles: [WaveformProfile]
    private let format: AudioFormat
    private let options: ReceiverOptions
    private var waiting: ArraySlice<[Int]>
    private var bank: ChannelBank
    private var merger: ReportMerger<ChannelSighting>
    /// The sightings of the groups before this one, in the order of their frames; and those at the end of the
    /// sound.
    private var heard: ArraySlice<ChannelSighting> = []
    private var heardLast: [ChannelSighting] = []
    private var earlier = ReceiverStatistics()

    /// - Parameters:
    ///   - channels: the channels of the format, 1-based.
    ///   - options: as for `ChannelReceiver`.
    ///   - observer: an observer that is notified of candidates, channel by channel, as the sound goes on.
    ///     With one, there is a single group.
    ///   - isReadAgain: true if the sound can be read more than once.
    init(
        profiles: [WaveformProfile], format: AudioFormat, channels: [Int], options: ReceiverOptions,
        observer: (any ReceiverObserver)?, isReadAgain: Bool
    ) {
        (self.profiles, self.format, self.options) = (profiles, format, options)
        let size = isReadAgain && observer == nil ? ChannelGroups.size(profiles) : channels.count
        let groups = stride(from: 0, to: channels.count, by: size).map {
            Array(channels[$0..<min($0 + size, channels.count)])
        }
        readingCount = groups.count
        waiting = groups.dropFirst()
        bank = ChannelBank(
            profiles: profiles, format: format, channels: groups[0], options: options,
            observer: observer)
        merger = ReportMerger(
            sampleRateHz: format.sampleRateHz, channelCount: channels.count, waitsForBest: true)
    }

    /// Returns the number of channels of a group.
    static func size(_ profiles: [WaveformProfile]) -> Int {
        let (each, all) = (megabytes.family, megabytes.group)
        let ggwave = profiles.count { if case .ggwave = $0.kind { true } else { false } }
        // The protocols of ggwave share one search.
        return max(1, all / (each * (profiles.count - ggwave + min(ggwave, 1))))
    }

    /// The counters over all channels.
    var statistics: ReceiverStatistics {
        var total = earlier
        total.add(bank.statistics)
        return total
    }

    /// Takes the next frames of a reading; returns the tokens that are settled by now, none before the last
    /// reading.
    mutating func process(_ block: AudioBlock) -> [ChannelSighting] {
        let fresh = bank.process(block)
        guard waiting.isEmpty else {
            heard += fresh
            return []
        }
        let frame = bank.frameCount
        let before = heard.prefix { $0.foundFrame <= frame }
        heard = heard.dropFirst(before.count)
        for sighting in before + fresh { merger.add(sighting) }
        return merger.take(after: SamplePosition(frame))
    }

    /// Ends a reading; returns `nil` if the sound is needed again, from its beginning.
    mutating func endReading() -> [ChannelSighting]? {
        heardLast += bank.finish()
        guard let channels = waiting.popFirst() else { return endAll() }
        earlier.add(bank.statistics)
        bank = ChannelBank(
            profiles: profiles, format: format, channels: channels, options: options)
        // Channels that heard the same frame stay in order.
        heard = heard.sorted { ($0.foundFrame, $0.channel) < ($1.foundFrame, $1.channel) }[...]
        return nil
    }

    /// Ends all groups, if the sound cannot be read again.
    mutating func endAll() -> [ChannelSighting] {
        for sighting in heard + heardLast { merger.add(sighting) }
        return merger.takeAll()
    }
}
