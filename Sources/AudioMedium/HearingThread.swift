import AcousticModem
import AudioIO
import Nearby
import Synchronization

/// The microphone's thread.
final class HearingThread: Sendable {
    private let thread: AudioThread

    /// Throws: `.unavailable`.
    init(
        _ desk: Desk, _ makeSource: @escaping AudioMedium.MakeSource, _ settings: AudioMediumSettings
    ) throws(AudioIOError) {
        thread = try AudioThread(.standardStream, isFirst: false) {
            desk.serve(.scan) { retry throws(AudioIOError) in
                defer { desk.isBusy.store(false, ordering: .relaxed) }
                try HearingThread.hear(makeSource(), desk, settings, &retry)
            }
        }
    }

    /// Until nobody wants to hear. Throws: when the device fails, or has an end.
    private static func hear(
        _ source: any AudioSource, _ desk: Desk, _ settings: AudioMediumSettings, _ retry: inout Retry
    ) throws(AudioIOError) {
        var ear = TokenEar(settings, sampleRateHz: Double(source.format.sampleRateHz))
        var block = source.makeBlock()
        let device = source as? ALSACapture
        while desk.assignment.isScanning, !desk.isClosed {
            guard try source.read(into: &block) else {
                throw AudioIOError(.inputOutput, .standardStream, "the sound has ended; open it again")
            }
            retry.reset()
            // A device that is unplugged is waited for.
            desk.note(device?.health.loss, .scan)
            if block.missingFrames > 0 {
                for sighting in ear.skip(frames: block.missingFrames) { desk.tell(.sighted(sighting)) }
            }
            for sighting in block.withChannel(0, { ear.hear($0) }) { desk.tell(.sighted(sighting)) }
            desk.isBusy.store(ear.isBusy, ordering: .relaxed)
        }
    }
}
