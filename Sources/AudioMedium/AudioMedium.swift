import AcousticModem
import AudioIO
import LiveModem
import MediumShell
import Nearby
import Signal

/// A medium that sends and receives tokens by sound, with a loudspeaker, a microphone, or both.
///
///     assignment ─→ TokenTransmitter ─→ AudioSink        open only while there is something to send
///     sightings ←── TokenReceiver ←──── AudioSource       open only while somebody wants to hear
///
/// The condition shows a device that does not open, or fails; the device is tried again, at growing
/// intervals.
public final class AudioMedium: MediumDriver {
    /// A function that opens a loudspeaker whenever there is something to send again. The condition shows its
    /// error.
    public typealias MakeSink = @Sendable () throws(AudioIOError) -> any AudioSink
    /// A function that opens a microphone whenever somebody wants to hear again. The condition shows its
    /// error.
    public typealias MakeSource = @Sendable () throws(AudioIOError) -> any AudioSource

    /// A function that reports how a direction's device fares; the device's thread calls it. The error is the
    /// reason why the device cannot be used, after every try; it is `nil` with every block of sound that went
    /// through the device. The function must not block.
    public typealias Explain = @Sendable (Role, AudioIOError?) -> Void

    public let medium = Medium.audio
    private let eventQueue: AudioEvents
    private let speaking: PlaybackThread?
    private let hearing: CaptureThread?

    /// - Parameters:
    ///   - playback: opens the loudspeaker; `nil` if there is none.
    ///   - capture: opens the microphone; `nil` if there is none.
    ///   - seed: the seed of the random lanes, pauses and waits.
    ///   - explain: reports how the devices fare.
    ///
    /// Throws: `.unavailable` if the system has no thread for the medium.
    public init(
        playback: MakeSink?, capture: MakeSource?, settings: AudioMediumSettings = AudioMediumSettings(),
        seed: UInt64 = .random(in: 0 ... .max), explain: Explain? = nil
    ) throws(AudioIOError) {
        let events = AudioEvents(
            MediumCondition(
                broadcast: playback == nil ? .missing : nil, scan: capture == nil ? .missing : nil,
                profiles: settings.profiles), explain: explain)
        eventQueue = events
        let speaking = try playback.map { open throws(AudioIOError) in
            try PlaybackThread(events, open, settings, seed: seed)
        }
        self.speaking = speaking
        do throws(AudioIOError) {
            hearing = try capture.map { open throws(AudioIOError) in
                try CaptureThread(events, open, settings)
            }
        } catch {
            // The thread that already runs would wait for ever.
            speaking?.queue.close()
            throw error
        }
    }

    deinit { end() }

    private func end() {
        eventQueue.close()
        speaking?.queue.close()
        hearing?.queue.close()
    }

    public func events() -> AsyncStream<MediumEvent> { eventQueue.stream() }

    public func carryOut(_ assignment: MediumAssignment) async {
        // The microphone first: the loudspeaker waits for others only while it hears them.
        hearing?.queue.post(assignment.isScanning ? assignment : nil)
        speaking?.queue.post(assignment.broadcast == nil ? nil : assignment)
    }

    /// Closes the devices for good. Returns when the loudspeaker has fallen silent, and a file in its place
    /// is complete; it waits no longer than ``closingPatience`` for a loudspeaker that hangs.
    public func close() async {
        end()
        await speaking?.queue.silence(atMost: AudioMedium.closingPatience)
    }

    /// The longest time for which ``close()`` waits for a loudspeaker to fall silent.
    package static let closingPatience = Duration.seconds(2)
}
