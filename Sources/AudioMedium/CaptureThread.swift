import AcousticModem
import AudioIO
import MediumShell
import Nearby
import Synchronization

/// The microphone's thread.
final class CaptureThread: Sendable {
    private let thread: AudioThread
    /// The assignments that the thread carries out.
    let queue: CommandQueue<MediumAssignment>

    /// Throws: `.unavailable`.
    init(
        _ events: AudioEvents, _ makeSource: @escaping AudioMedium.MakeSource,
        _ settings: AudioMediumSettings
    ) throws(AudioIOError) {
        let queue = try AudioEvents.makeQueue()
        self.queue = queue
        thread = try AudioThread(.standardStream, isFirst: false) {
            queue.serve { retry throws(AudioIOError) in
                defer { events.isBusy.store(false, ordering: .relaxed) }
                try CaptureThread.hear(makeSource(), queue, events, settings, &retry)
            } failed: {
                events.failed($0, .scan)
            }
        }
    }

    /// Listens until nobody wants to hear. Throws: an error if the device fails, or has an end.
    private static func hear(
        _ source: any AudioSource, _ queue: CommandQueue<MediumAssignment>, _ events: AudioEvents,
        _ settings: AudioMediumSettings, _ retry: inout Retry
    ) throws(AudioIOError) {
        var receiver = TokenReceiver(settings, format: source.format)
        var block = source.makeBlock()
        let device = source as? ALSACapture
        while queue.order != nil {
            guard try source.read(into: &block) else {
                throw AudioIOError(.inputOutput, .standardStream, "the sound has ended; open it again")
            }
            retry.reset()
            // ALSACapture waits for an unplugged device by itself.
            events.note(device?.health.loss, .scan)
            for sighting in receiver.hear(block) { events.put(.sighted(sighting)) }
            events.isBusy.store(receiver.isBusy, ordering: .relaxed)
        }
    }
}
