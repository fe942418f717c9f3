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

    init(_ condition: MediumCondition) { papers = Mutex(Papers(condition: condition)) }

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
                set(MediumCondition.Obstacle(error), role)
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

    /// Tells the condition if it has changed.
    func set(_ obstacle: MediumCondition.Obstacle?, _ role: Role) {
        papers.withLock {
            guard $0.condition[role] != obstacle else { return }
            switch role {
            case .broadcast: $0.condition.broadcast = obstacle
            case .scan: $0.condition.scan = obstacle
            }
            $0.reader?.yield(.condition($0.condition))
        }
    }
}

extension MediumAssignment {
    fileprivate func wants(_ role: Role) -> Bool { role == .scan ? isScanning : broadcast != nil }
}
