import ServiceLifecycle
import Synchronization

/// The error of a place that cannot throw: it ends the server.
final class Failure: Sendable {
    private let first = Mutex<(any Error)?>(nil)
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    init() { (bell, ring) = AsyncStream.makeStream() }

    /// The first that was noted; nil: none.
    var error: (any Error)? { first.withLock { $0 } }

    func note(_ error: any Error) {
        first.withLock { $0 = $0 ?? error }
        ring.yield()
    }

    /// Ends the group in good order once something was noted; returns when the task is cancelled.
    func end(_ group: ServiceGroup) async {
        for await _ in bell { await group.triggerGracefulShutdown() }
    }
}
