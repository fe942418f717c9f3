import Dispatch
import Synchronization

/// Independent pieces of work on many threads, their results in order: the same whatever the threads do.
enum WorkSharing {
    /// Shape: results `[count]`, of piece 0, 1, …  Throws what the first failing piece threw; others may be left out.
    static func map<Result: Sendable>(
        count: Int, threadCount: Int, _ body: @Sendable (Int) throws -> Result
    ) throws -> [Result] {
        let state = Mutex((results: [Result?](repeating: nil, count: count), failure: (any Error)?.none))
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: min(max(1, threadCount), max(1, count))) { _ in
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < count, state.withLock({ $0.failure == nil }) else { return }
                do {
                    let result = try body(index)
                    state.withLock { $0.results[index] = result }
                } catch {
                    state.withLock { $0.failure = $0.failure ?? error }
                }
            }
        }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.results.compactMap { $0 }
        }
    }
}
