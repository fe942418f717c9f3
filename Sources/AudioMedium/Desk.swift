import AudioIO
import Nearby
import Synchronization

/// What the threads of an ``AudioMedium`` and its engine leave for each other.
final class Desk: Sendable {
    private struct Papers {
        var assignment = MediumAssignment.idle
        var condition: MediumCondition
        var isClosed = false
        var reader: AsyncStream<MediumEvent>.Continuation?
    }

    private let papers: Mutex<Papers>
    /// Somebody else is sending, as far as the microphone tells.
    let isBusy = Atomic(false)
    /// Rings when there is something new.
    let bell = Bell()

    /// Told how the devices fare.
    private let explain: AudioMedium.Explain?

    init(_ condition: MediumCondition, explain: AudioMedium.Explain?) {
        papers = Mutex(Papers(condition: condition))
        self.explain = explain
    }

    var assignment: MediumAssignment { papers.withLock { $0.assignment } }
    var isClosed: Bool { papers.withLock { $0.isClosed } }

    func post(_ assignment: MediumAssignment) {
        papers.withLock { $0.assignment = assignment }
        bell.ring()
    }

    func close() {
        papers.withLock {
            $0.isClosed = true
            $0.reader?.finish()
        }
        bell.ring()
    }

    /// A thread's work until the desk is closed: `use` opens the direction's device and uses it as long as it is wanted. One that
    /// fails is tried again, later and later.
    func serve(_ role: Role, _ use: (inout Retry) throws(AudioIOError) -> Void) {
        var retry = Retry()
        while !isClosed {
            let rings = bell.count
            guard assignment.wants(role) else {
                bell.wait(after: rings, seconds: 60)
                continue
            }
            do throws(AudioIOError) {
                try use(&retry)
            } catch {
                set(MediumCondition.Obstacle(error), because: "\(error)", role)
                explain?(role, error)
                let rings = bell.count
                if !isClosed { bell.wait(after: rings, seconds: retry.seconds) }
                retry.lengthen()
            }
        }
    }

    func events() -> AsyncStream<MediumEvent> {
        let (stream, reader) = AsyncStream.makeStream(of: MediumEvent.self)
        papers.withLock {
            $0.reader?.finish()
            $0.reader = reader
            reader.yield(.condition($0.condition))
        }
        return stream
    }

    func tell(_ event: MediumEvent) { _ = papers.withLock { $0.reader?.yield(event) } }

    /// A block of sound went through the direction's device.
    ///
    /// - Parameter loss: why the device is lost now, and waited for; nil: it is there.
    func note(_ loss: String?, _ role: Role) {
        set(loss == nil ? nil : .failing, because: loss, role)
        if let loss {
            explain?(role, AudioIOError(.unavailable, .standardStream, "the device is lost: \(loss)"))
        } else {
            explain?(role, nil)
        }
    }

    /// Tells the condition if it has changed.
    private func set(_ obstacle: MediumCondition.Obstacle?, because reason: String? = nil, _ role: Role) {
        papers.withLock {
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
