import Synchronization

/// Waits for a task, but not for ever: the task goes on by itself.
final class BoundedWait: Sendable {
    private let task: Task<Void, Never>
    private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

    init(_ task: Task<Void, Never>) { self.task = task }

    /// Returns when the task has ended, or then.
    func wait(until limit: Instant, on clock: EngineClock) async {
        let timer = Mutex<Task<Void, Never>?>(nil)
        await withCheckedContinuation { continuation in
            waiting.withLock { $0 = continuation }
            timer.withLock {
                $0 = Task {
                    // Cancelled when the task was first: nobody waits any more.
                    try? await clock.sleep(limit)
                    resume()
                }
            }
            Task {
                await task.value
                resume()
            }
        }
        timer.withLock { $0?.cancel() }
    }

    private func resume() {
        let one = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        one?.resume()
    }
}
