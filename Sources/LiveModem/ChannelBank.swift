import AcousticModem
import AudioIO

/// Some channels of sound, each with its own receiver. They take turns, and share the memory that holds
/// nothing from one turn to the next. Two to eight channels are also heard jointly (``ArrayReceiver``).
package struct ChannelBank: Sendable {
    /// The channels that are processed, 1-based.
    package let channels: [Int]
    /// The receiver of all channels together; `nil` for a single channel, and for more than it takes.
    private var array: ArrayReceiver?
    /// The receivers of the channels, if there is no `array`.
    private var receivers: [ChannelReceiver] = []
    /// The owner of the scratch memory that such receivers use in turn; `nil` for a single channel, which has
    /// its own.
    private var lender: ChannelReceiver?
    /// The statistics of channels that have come to their end.
    private var ended = ReceiverStatistics()
    /// The number of frames taken so far, with those that were missing.
    package private(set) var frameCount = 0

    /// - Parameters:
    ///   - channels: the format's channels to process, 1-based, in order.
    ///   - options: as for ``ChannelReceiver``.
    package init(
        profiles: [WaveformProfile], format: AudioFormat, channels: [Int],
        options: ReceiverOptions = ReceiverOptions(),
        observer: (any ReceiverObserver)? = nil
    ) {
        self.channels = channels
        if ArrayReceiver.channelCounts.contains(channels.count) {
            array = ArrayReceiver(
                profiles: profiles, sampleRateHz: format.sampleRateHz, channelCount: channels.count,
                options: options, observer: observer)
            return
        }
        // Copies share their tables, and also memory that none of them writes.
        let receiver = ChannelReceiver(
            profiles: profiles, sampleRateHz: format.sampleRateHz, options: options,
            observer: observer)
        receivers = channels.map { _ in receiver }
        lender = channels.count > 1 ? receiver : nil
    }

    /// Takes the next frames, and before them the time of missing frames; returns the sightings of each
    /// channel, in their order.
    package mutating func process(_ block: AudioBlock) -> [ChannelSighting] {
        if array != nil { return processJointly(block) }
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
        if let reports = array?.finish() { return sightings(reports) }
        var sightings: [ChannelSighting] = []
        for channel in channels {
            hear(receiver: 0, channel, into: &sightings) { $0.finish() }
            ended.add(receivers.removeFirst().statistics)
        }
        return sightings
    }

    /// The counters over all channels.
    package var statistics: ReceiverStatistics {
        receivers.reduce(into: array?.statistics ?? ended) { total, one in total.add(one.statistics) }
    }

    private mutating func processJointly(_ block: AudioBlock) -> [ChannelSighting] {
        var heard: [ChannelSighting] = []
        if block.missingFrames > 0 {
            frameCount += block.missingFrames
            let reports = array!.skip(frames: Int64(block.missingFrames))
            heard += sightings(reports)
        }
        frameCount += block.frameCount
        for (index, channel) in channels.enumerated() {
            let reports = block.withChannel(channel - 1) { array!.process($0, channel: index) }
            heard += sightings(reports)
        }
        // A call of `sightings` that changed the array in its argument would copy all of it.
        let reports = array!.advance()
        return heard + sightings(reports)
    }

    /// Returns the sightings of the array's reports.
    private func sightings(_ reports: [DecodeReport]) -> [ChannelSighting] {
        reports.map { report in
            var own = report
            own.channelIndex = 0
            return ChannelSighting(
                report: own, channel: channels[report.channelIndex], foundFrame: frameCount)
        }
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
