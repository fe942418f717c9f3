import Synchronization

/// A wait for a task with a time limit. The task continues after the limit.
final class BoundedWait: Sendable {
    private let task: Task<Void, Never>
    private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

    init(_ task: Task<Void, Never>) { self.task = task }

    /// Returns when the task has ended, or at `limit`.
    func wait(until limit: Instant, on clock: EngineClock) async {
        let timer = Mutex<Task<Void, Never>?>(nil)
        await withCheckedContinuation { continuation in
            waiting.withLock { $0 = continuation }
            timer.withLock {
                $0 = Task {
                    // The sleep is cancelled if the task ends first: nobody waits any more then.
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
