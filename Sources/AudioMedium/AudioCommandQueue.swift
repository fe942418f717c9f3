import AudioIO
import Nearby
import Synchronization

/// The state that the threads of an ``AudioMedium`` and its engine share: assignment, condition and events.
final class AudioCommandQueue: Sendable {
    private struct Contents {
        var assignment = MediumAssignment.idle
        var condition: MediumCondition
        var isClosed = false
        var reader: AsyncStream<MediumEvent>.Continuation?
    }

    private let contents: Mutex<Contents>
    /// True if another device is sending, as far as the microphone can tell.
    let isBusy = Atomic(false)
    /// The signal that wakes the threads when there is something new.
    let wakeSignal = WakeSignal()

    /// A function that reports how the devices fare.
    private let explain: AudioMedium.Explain?

    init(_ condition: MediumCondition, explain: AudioMedium.Explain?) {
        contents = Mutex(Contents(condition: condition))
        self.explain = explain
    }

    var assignment: MediumAssignment { contents.withLock { $0.assignment } }
    var isClosed: Bool { contents.withLock { $0.isClosed } }

    func post(_ assignment: MediumAssignment) {
        contents.withLock { $0.assignment = assignment }
        wakeSignal.wake()
    }

    func close() {
        contents.withLock {
            $0.isClosed = true
            $0.reader?.finish()
        }
        wakeSignal.wake()
    }

    /// Runs a thread until the queue is closed: `use` opens the direction's device and uses it as long as it
    /// is wanted. A device that fails is tried again, at growing intervals.
    func serve(_ role: Role, _ use: (inout Retry) throws(AudioIOError) -> Void) {
        var retry = Retry()
        while !isClosed {
            let wakes = wakeSignal.count
            guard assignment.wants(role) else {
                wakeSignal.wait(after: wakes, seconds: 60)
                continue
            }
            do throws(AudioIOError) {
                try use(&retry)
            } catch {
                set(MediumCondition.Obstacle(error), because: "\(error)", role)
                explain?(role, error)
                let wakes = wakeSignal.count
                if !isClosed { wakeSignal.wait(after: wakes, seconds: retry.seconds) }
                retry.lengthen()
            }
        }
    }

    func events() -> AsyncStream<MediumEvent> {
        let (stream, reader) = AsyncStream.makeStream(of: MediumEvent.self)
        contents.withLock {
            $0.reader?.finish()
            $0.reader = reader
            reader.yield(.condition($0.condition))
        }
        return stream
    }

    func tell(_ event: MediumEvent) { _ = contents.withLock { $0.reader?.yield(event) } }

    /// Notes that a block of sound went through the direction's device.
    ///
    /// - Parameter loss: the reason why the device is lost now, and waited for; `nil` while it is there.
    func note(_ loss: String?, _ role: Role) {
        set(loss == nil ? nil : .failing, because: loss, role)
        if let loss {
            explain?(role, AudioIOError(.unavailable, .standardStream, "the device is lost: \(loss)"))
        } else {
            explain?(role, nil)
        }
    }

    /// Changes the condition and reports it if it is new.
    private func set(_ obstacle: MediumCondition.Obstacle?, because reason: String? = nil, _ role: Role) {
        contents.withLock {
            var condition = $0.condition
            condition.set(obstacle, because: reason, on: role)
            guard condition != $0.condition else { return }
            $0.condition = condition
            $0.reader?.yield(.condition(condition))
        }
    }
}

extension MediumAssignment {
    fileprivate func wants(_ role: Role) -> Bool { role == .scan ? isScanning : broadcast != nil }
}
