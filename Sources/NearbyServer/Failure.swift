import ServiceLifecycle
import Synchronization

/// The first error of code that cannot throw. It ends the server.
final class Failure: Sendable {
    private let first = Mutex<(any Error)?>(nil)
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation

    init() { (bell, ring) = AsyncStream.makeStream() }

    /// The first error that was noted; `nil` if there is none.
    var error: (any Error)? { first.withLock { $0 } }

    func note(_ error: any Error) {
        first.withLock { $0 = $0 ?? error }
        ring.yield()
    }

    /// Ends the group in an orderly way once an error was noted. It returns when the task is cancelled.
    func end(_ group: ServiceGroup) async {
        for await _ in bell { await group.triggerGracefulShutdown() }
    }
}
