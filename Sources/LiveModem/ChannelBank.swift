import AcousticModem
import AudioIO

/// Some channels of sound, each with its own receiver. They take turns, and share the memory that holds
/// nothing from one turn to the next.
package struct ChannelBank: Sendable {
    /// The channels that are processed, 1-based.
    package let channels: [Int]
    private var receivers: [ChannelReceiver]
    /// The owner of the scratch memory that the channels use in turn; `nil` for a single channel, which has
    /// its own.
    private var lender: ChannelReceiver?
    /// The statistics of channels that have come to their end.
    private var ended = ReceiverStatistics()
    /// The number of frames taken so far, with those that were missing.
    package private(set) var frameCount = 0

    /// - Parameter channels: the format's channels to process, 1-based, in order.
    package init(
        profiles: [WaveformProfile], format: AudioFormat, channels: [Int],
        observer: (any ReceiverObserver)? = nil
    ) {
        self.channels = channels
        // Copies share their tables, and also memory that none of them writes.
        let receiver = ChannelReceiver(
            profiles: profiles, sampleRateHz: format.sampleRateHz, observer: observer)
        receivers = channels.map { _ in receiver }
        lender = channels.count > 1 ? receiver : nil
    }

    /// Takes the next frames, and before them the time of missing frames; returns the sightings of each
    /// channel, in their order.
    package mutating func process(_ block: AudioBlock) -> [ChannelSighting] {
        var sightings: [ChannelSighting] = []
        if block.missingFrames > 0 {
            frameCount += block.missingFrames
            for (index, channel) in channels.enumerated() {
                hear(receiver: index, channel, into: &sightings) {
                    $0.skip(frames: Int64(block.missingFrames))
                }
            }
        }
        frameCount += block.frameCount
        for (index, channel) in channels.enumerated() {
            hear(receiver: index, channel, into: &sightings) { receiver in
                block.withChannel(channel - 1) { receiver.process($0) }
            }
        }
        return sightings
    }

    /// Ends the sound: nothing may follow. Each channel releases its memory before the next one takes more
    /// for its end.
    package mutating func finish() -> [ChannelSighting] {
        var sightings: [ChannelSighting] = []
        for channel in channels {
            hear(receiver: 0, channel, into: &sightings) { $0.finish() }
            ended.add(receivers.removeFirst().statistics)
        }
        return sightings
    }

    /// The counters over all channels.
    package var statistics: ReceiverStatistics {
        receivers.reduce(into: ended) { total, one in total.add(one.statistics) }
    }

    private mutating func hear(
        receiver index: Int, _ channel: Int, into sightings: inout [ChannelSighting],
        _ listen: (inout ChannelReceiver) -> [DecodeReport]
    ) {
        // The receiver borrows the lender's scratch memory, and gives it back.
        if lender != nil { receivers[index].exchangeScratch(with: &lender!) }
        for report in listen(&receivers[index]) {
            sightings.append(ChannelSighting(report: report, channel: channel, foundFrame: frameCount))
        }
        if lender != nil { receivers[index].exchangeScratch(with: &lender!) }
    }
}
