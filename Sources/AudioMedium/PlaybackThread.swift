import AcousticModem
import AudioIO
import Nearby
import Signal
import Synchronization

/// The loudspeaker's thread.
final class PlaybackThread: Sendable {
    private let thread: AudioThread
    /// A stream that ends with the thread.
    let end: AsyncStream<Never>

    /// Throws: `.unavailable`.
    init(
        _ queue: AudioCommandQueue, _ makeSink: @escaping AudioMedium.MakeSink,
        _ settings: AudioMediumSettings,
        seed: UInt64
    ) throws(AudioIOError) {
        let (end, continuation) = AsyncStream.makeStream(of: Never.self)
        self.end = end
        thread = try AudioThread(.standardStream, isFirst: false) {
            defer { continuation.finish() }
            var random = SplitMix64(seed: seed)
            queue.serve(.broadcast) { retry throws(AudioIOError) in
                let sink = try makeSink()
                try PlaybackThread.speak(to: sink, queue, settings, seed: random.next(), &retry)
            }
        }
    }

    /// Sends until there is nothing more to send. Throws: an error if the device fails.
    private static func speak(
        to sink: any AudioSink, _ queue: AudioCommandQueue, _ settings: AudioMediumSettings, seed: UInt64,
        _ retry: inout Retry
    ) throws(AudioIOError) {
        let rateHz = Double(sink.format.sampleRateHz)
        for profile in [settings.profile, settings.nearProfile, settings.sealedProfile].compactMap({ $0 })
        where rateHz < profile.minimumSampleRateHz {
            throw AudioIOError(
                .unavailable, .standardStream,
                "\(sink.format.sampleRateHz) Hz cannot hold \(profile.name): use 48000 Hz")
        }
        var speaker = TokenTransmitter(settings, sampleRateHz: rateHz, seed: seed)
        var block = AudioBlock(channelCount: sink.format.channelCount, capacity: Int(rateHz / 50))
        block.resize(to: block.capacity)
        let device = sink as? ALSAPlayback
        repeat {
            let assignment = queue.isClosed ? .idle : queue.assignment
            speaker.carryOut(assignment.broadcast)
            let isBusy = assignment.isScanning && queue.isBusy.load(ordering: .relaxed)
            let events = block.withMutableChannel(0) { speaker.fill($0, isBusy: isBusy) }
            block.copyFirstChannel()
            try sink.write(block)
            retry.reset()
            // ALSAPlayback waits for an unplugged device by itself.
            queue.note(device?.health.loss, .broadcast)
            for event in events { queue.tell(event) }
        } while !speaker.isSilent
        try sink.finish()
    }
}
