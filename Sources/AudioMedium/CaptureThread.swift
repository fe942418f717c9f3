import AcousticModem
import AudioIO
import Nearby
import Synchronization

/// The microphone's thread.
final class CaptureThread: Sendable {
    private let thread: AudioThread

    /// Throws: `.unavailable`.
    init(
        _ queue: AudioCommandQueue, _ makeSource: @escaping AudioMedium.MakeSource,
        _ settings: AudioMediumSettings
    ) throws(AudioIOError) {
        thread = try AudioThread(.standardStream, isFirst: false) {
            queue.serve(.scan) { retry throws(AudioIOError) in
                defer { queue.isBusy.store(false, ordering: .relaxed) }
                try CaptureThread.hear(makeSource(), queue, settings, &retry)
            }
        }
    }

    /// Listens until nobody wants to hear. Throws: an error if the device fails, or has an end.
    private static func hear(
        _ source: any AudioSource, _ queue: AudioCommandQueue, _ settings: AudioMediumSettings,
        _ retry: inout Retry
    ) throws(AudioIOError) {
        var receiver = TokenReceiver(settings, sampleRateHz: Double(source.format.sampleRateHz))
        var block = source.makeBlock()
        let device = source as? ALSACapture
        while queue.assignment.isScanning, !queue.isClosed {
            guard try source.read(into: &block) else {
                throw AudioIOError(.inputOutput, .standardStream, "the sound has ended; open it again")
            }
            retry.reset()
            // ALSACapture waits for an unplugged device by itself.
            queue.note(device?.health.loss, .scan)
            if block.missingFrames > 0 {
                for sighting in receiver.skip(frames: block.missingFrames) { queue.tell(.sighted(sighting)) }
            }
            for sighting in block.withChannel(0, { receiver.hear($0) }) { queue.tell(.sighted(sighting)) }
            queue.isBusy.store(receiver.isBusy, ordering: .relaxed)
        }
    }
}
