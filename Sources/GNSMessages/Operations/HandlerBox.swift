import Foundation

/// A box with an app's handler, which is called only on its executor, and not after the box was closed.
///
/// The handler is not `@Sendable`. Only the executor calls it, and the caller of ``close()`` releases it.
final class HandlerBox<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var handler: ((Value) -> Void)?
    private let executor: GNSExecutor

    init(_ handler: ((Value) -> Void)?, on executor: GNSExecutor) {
        (self.handler, self.executor) = (handler, executor)
    }

    var isEmpty: Bool { lock.withLock { handler == nil } }

    func call(_ value: Value) {
        guard !isEmpty else { return }
        executor.run {
            let handler = self.lock.withLock { self.handler }
            handler?(value)
        }
    }

    /// Stops all calls of the handler, and releases what it holds.
    func close() {
        let handler = lock.withLock {
            defer { self.handler = nil }
            return self.handler
        }
        // The handler is released outside the lock, because what it holds may end other things.
        _ = handler
    }
}
