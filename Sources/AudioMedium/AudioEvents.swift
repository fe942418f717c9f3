import AudioIO
import Glibc
import MediumShell
import Nearby
import Synchronization

/// The events of an ``AudioMedium``, and the state that its two threads share.
final class AudioEvents: Sendable {
    private let queue: MediumEventQueue
    /// True if another device is sending, as far as the microphone can tell.
    let isBusy = Atomic(false)
    /// A function that reports how the devices fare.
    private let explain: AudioMedium.Explain?

    init(_ condition: MediumCondition, explain: AudioMedium.Explain?) {
        queue = MediumEventQueue(condition)
        self.explain = explain
    }

    /// Returns a queue for a device's thread. Throws: `.unavailable` if the system has no pipe for it.
    static func makeQueue() throws(AudioIOError) -> CommandQueue<MediumAssignment> {
        guard let queue = CommandQueue<MediumAssignment>() else {
            throw AudioIOError(
                .unavailable, .standardStream, "no pipe for the medium: \(String(cString: strerror(errno)))")
        }
        return queue
    }

    func stream() -> AsyncStream<MediumEvent> { queue.events() }
    func put(_ event: MediumEvent) { queue.put(event) }
    func close() { queue.close() }

    /// Notes that a block of sound went through the direction's device.
    ///
    /// - Parameter loss: the reason why the device is lost now, and waited for; `nil` while it is there.
    func note(_ loss: String?, _ role: Role) {
        queue.set(loss == nil ? nil : .failing, because: loss, role)
        if let loss {
            explain?(role, AudioIOError(.unavailable, .standardStream, "the device is lost: \(loss)"))
        } else {
            explain?(role, nil)
        }
    }

    /// Notes that the direction's device cannot be used.
    func failed(_ error: AudioIOError, _ role: Role) {
        queue.set(.init(error), because: "\(error)", role)
        explain?(role, error)
    }
}

extension MediumCondition.Obstacle {
    init(_ error: AudioIOError) {
        switch error.kind {
        case .noPermission: self = .forbidden
        case .unavailable, .noSuchInput, .badData, .cannotCreate, .wouldReplaceInput, .unfitOutput,
            .inputOutput, .readerGone:
            self = .failing
        }
    }
}
