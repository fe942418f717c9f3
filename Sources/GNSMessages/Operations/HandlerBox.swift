import Foundation

/// An app's handler: called on its executor only, and not after it was closed.
///
/// The handler is not `@Sendable`. It is called on the executor alone, and let go by whoever closes.
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

    /// Not called any more, and what it holds is let go.
    func close() {
        let handler = lock.withLock {
            defer { self.handler = nil }
            return self.handler
        }
        // Let go outside the lock: what it holds may end other things.
        _ = handler
    }
}
