import Signal

/// A receiver for two to eight microphones that go on together: DSSS frames are also heard jointly, from up
/// to four channels at once, where no channel alone would hear them.
///
///     channel 1 ─ ChannelReceiver ─ the other families, each channel by itself ─▶ reports
///                        └ baseband ─┐
///     channel 2 ─ …                  ├─ DSSSBand: each channel by itself, and jointly ─▶ reports
///
/// ``DecodeReport/channelIndex`` of each report is the channel that heard the frame, or heard it best.
/// Channels need not stand in one room: what a channel hears by itself does not depend on the others.
package struct ArrayReceiver: Sendable {
    /// The number of channels that this receiver is for.
    package static let channelCounts = 2...8

    private var channels: [ChannelReceiver]
    /// The owner of the scratch memory that the channels use in turn.
    private var lender: ChannelReceiver
    private var bands: [DSSSBand]

    /// - Parameters:
    ///   - channelCount: one of ``channelCounts``.
    ///   - options: as for ``Receiver``.
    package init(
        profiles: [WaveformProfile], sampleRateHz: Int, channelCount: Int,
        options: ReceiverOptions = ReceiverOptions(),
        observer: (any ReceiverObserver)?
    ) {
        precondition(ArrayReceiver.channelCounts.contains(channelCount), "as many channels as an array has")
        channels = copies(channelCount + 1) {
            ChannelReceiver(
                profiles: profiles, sampleRateHz: sampleRateHz, options: ReceiverOptions(), tapsDSSS: true,
                observer: observer)
        }
        lender = channels.removeLast()
        let dsss = profiles.compactMap { if case .dsss(let profile) = $0.kind { profile } else { nil } }
        bands = dsss.grouped { $0.band == $1.band }.map {
            DSSSBand(
                profiles: $0, channelCount: channelCount, options: options, observer: observer)
        }
    }

    /// Takes the next samples of one channel, as ``ChannelReceiver/process(_:)`` does. Returns the frames of
    /// the families that each channel hears by itself; ``advance()`` returns the others.
    package mutating func process(_ samples: UnsafeBufferPointer<Float>, channel: Int) -> [DecodeReport] {
        hear(channel) { $0.process(samples) }
    }

    /// Goes on with the DSSS frames once all channels have taken as many samples. Returns those settled.
    package mutating func advance() -> [DecodeReport] {
        for channel in channels.indices {
            channels[channel].drainTaps { index, tap in
                bands[index].take(
                    tap.baseband, limited: tap.limited, limiterDelay: tap.limiterDelay, channel: channel)
            }
        }
        var reports: [DecodeReport] = []
        for index in bands.indices { bands[index].advance(into: &reports) }
        return reports
    }

    /// Moves the clock of all channels on by frames of lost sound; see ``ChannelReceiver/skip(frames:)``.
    package mutating func skip(frames: Int64) -> [DecodeReport] {
        precondition(frames >= 0, "time goes on")
        let flush = channels[0].flushFrames
        let bandFlush = flush.frontEnd + (bands.lazy.map { $0.flushSamples }.max() ?? 0)
        let (heard, moved) = channels[0].parts(ofSkipped: frames, flushFrames: max(flush.all, bandFlush))
        var reports: [DecodeReport] = []
        Receiver.withSilence(frames: heard) { silence in
            for channel in channels.indices { reports += process(silence, channel: channel) }
            reports += advance()
        }
        for channel in channels.indices { channels[channel].move(frames: moved) }
        if moved > 0 { for index in bands.indices { bands[index].skip(samples: moved) } }
        return reports
    }

    /// Ends the sound and returns the frames that were still under way.
    package mutating func finish() -> [DecodeReport] {
        var reports: [DecodeReport] = []
        for channel in channels.indices { reports += hear(channel) { $0.finish() } }
        reports += advance()
        for index in bands.indices { bands[index].finish(into: &reports) }
        return reports
    }

    /// The counters of each stage, over all channels.
    package var statistics: ReceiverStatistics {
        var total = ReceiverStatistics()
        for one in channels { total.add(one.statistics) }
        for one in bands { total.add(one.statistics) }
        return total
    }

    private mutating func hear(
        _ channel: Int, _ listen: (inout ChannelReceiver) -> [DecodeReport]
    ) -> [DecodeReport] {
        // The receiver borrows the lender's scratch memory, and gives it back.
        channels[channel].exchangeScratch(with: &lender)
        defer { channels[channel].exchangeScratch(with: &lender) }
        var reports = listen(&channels[channel])
        for index in reports.indices { reports[index].channelIndex = channel }
        return reports
    }
}
