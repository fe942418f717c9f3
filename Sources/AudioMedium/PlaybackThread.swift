import AcousticModem
import AudioIO
import MediumShell
import Nearby
import Signal
import Synchronization

/// The loudspeaker's thread.
final class PlaybackThread: Sendable {
    private let thread: AudioThread
    /// The assignments that the thread carries out.
    let queue: CommandQueue<MediumAssignment>

    /// Throws: `.unavailable`.
    init(
        _ events: AudioEvents, _ makeSink: @escaping AudioMedium.MakeSink, _ settings: AudioMediumSettings,
        seed: UInt64
    ) throws(AudioIOError) {
        let queue = try AudioEvents.makeQueue()
        self.queue = queue
        thread = try AudioThread(.standardStream, isFirst: false) {
            var random = SplitMix64(seed: seed)
            queue.serve { retry throws(AudioIOError) in
                let sink = try makeSink()
                try PlaybackThread.speak(to: sink, queue, events, settings, seed: random.next(), &retry)
            } failed: {
                events.failed($0, .broadcast)
            }
        }
    }

    /// Sends until there is nothing more to send. Throws: an error if the device fails.
    private static func speak(
        to sink: any AudioSink, _ queue: CommandQueue<MediumAssignment>, _ events: AudioEvents,
        _ settings: AudioMediumSettings, seed: UInt64, _ retry: inout Retry
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
            let assignment = queue.order ?? .idle
            speaker.carryOut(assignment.broadcast)
            let isBusy = assignment.isScanning && events.isBusy.load(ordering: .relaxed)
            let spoken = block.withMutableChannel(0) { speaker.fill($0, isBusy: isBusy) }
            block.copyFirstChannel()
            try sink.write(block)
            retry.reset()
            // ALSAPlayback waits for an unplugged device by itself.
            events.note(device?.health.loss, .broadcast)
            for event in spoken { events.put(event) }
        } while !speaker.isSilent
        try sink.finish()
    }
}
