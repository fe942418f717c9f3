import AcousticModem
import AudioIO
import LiveModem
import Nearby
import Signal
import Synchronization

/// Tokens by sound: a loudspeaker, a microphone, or both.
///
///     assignment ─→ TokenTransmitter ─→ AudioSink        open only while there is something to send
///     sightings ←── TokenReceiver ←──── AudioSource       open only while somebody wants to hear
///
/// A device that does not open, or fails, shows in the condition and is tried again, later and later.
public final class AudioMedium: MediumDriver {
    /// Opens a loudspeaker, whenever there is something to send again. What it throws shows in the condition.
    public typealias MakeSink = @Sendable () throws(AudioIOError) -> any AudioSink
    /// Opens a microphone, whenever somebody wants to hear again. What it throws shows in the condition.
    public typealias MakeSource = @Sendable () throws(AudioIOError) -> any AudioSource

    /// Told how a direction's device fares, from its thread: why it cannot be used, whenever it was tried, or nil with every block of sound
    /// that went through it. Must not block.
    public typealias Explain = @Sendable (Role, AudioIOError?) -> Void

    public let medium = Medium.audio
    private let queue: AudioCommandQueue
    private let speaking: PlaybackThread?
    private let hearing: CaptureThread?

    /// - Parameters:
    ///   - playback: opens the loudspeaker; nil: there is none.
    ///   - capture: opens the microphone; nil: there is none.
    ///   - seed: what pauses are drawn from.
    ///   - explain: told how its devices fare.
    ///
    /// Throws: `.unavailable`, when the system has no thread for it.
    public init(
        playback: MakeSink?, capture: MakeSource?, settings: AudioMediumSettings = AudioMediumSettings(),
        seed: UInt64 = .random(in: 0 ... .max), explain: Explain? = nil
    ) throws(AudioIOError) {
        let queue = AudioCommandQueue(
            MediumCondition(
                broadcast: playback == nil ? .missing : nil, scan: capture == nil ? .missing : nil,
                profiles: settings.profiles), explain: explain)
        self.queue = queue
        do throws(AudioIOError) {
            speaking = try playback.map { open throws(AudioIOError) in
                try PlaybackThread(queue, open, settings, seed: seed)
            }
            hearing = try capture.map { open throws(AudioIOError) in
                try CaptureThread(queue, open, settings)
            }
        } catch {
            // The thread that there is would wait for ever.
            queue.close()
            throw error
        }
    }

    deinit { queue.close() }

    public func events() -> AsyncStream<MediumEvent> { queue.events() }

    public func carryOut(_ assignment: MediumAssignment) async { queue.post(assignment) }

    /// Lets its devices go, for good. Returns when the loudspeaker has fallen silent, and what was written in its place is whole;
    /// one that hangs is waited for no longer than ``closingPatience``.
    public func close() async {
        queue.close()
        guard let speaking else { return }
        await withTaskGroup { group in
            group.addTask { for await _ in speaking.end {} }
            // Cancelled when the thread was first.
            group.addTask { try? await Task.sleep(for: AudioMedium.closingPatience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// The longest that ``close()`` waits for a loudspeaker to fall silent.
    public static let closingPatience = Duration.seconds(2)
}
