import Glibc
import Synchronization

/// A distributor of independent pieces of work to many threads. The results are in order, and do not depend
/// on the threads.
enum WorkSharing {
    /// Returns the results, in the shape `[count]`, of pieces 0, 1, … Throws: the first failing piece's
    /// error; other pieces may then be left out.
    static func map<Result: Sendable>(
        count: Int, threadCount: Int, _ body: @escaping @Sendable (Int) throws -> Result
    ) throws -> [Result] {
        let board = Board<Result>(count: count)
        // Each thread takes one piece after another, until none is left or one has failed.
        let work: @Sendable () -> Void = {
            while let index = board.take() {
                do { try board.put(body(index), at: index) } catch { board.fail(error) }
            }
        }
        let others = (1..<max(1, min(threadCount, count))).compactMap { _ in start(work) }
        work()
        for thread in others { pthread_join(thread, nil) }
        return try board.results()
    }

    /// The state that the threads share.
    private final class Board<Result: Sendable>: Sendable {
        private let count: Int
        private let next = Atomic(0)
        private let state: Mutex<(results: [Result?], failure: (any Error)?)>

        init(count: Int) {
            self.count = count
            state = Mutex(([Result?](repeating: nil, count: count), nil))
        }

        func take() -> Int? {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            return index < count && state.withLock { $0.failure == nil } ? index : nil
        }

        func put(_ result: Result, at index: Int) { state.withLock { $0.results[index] = result } }
        func fail(_ error: any Error) { state.withLock { $0.failure = $0.failure ?? error } }

        func results() throws -> [Result] {
            try state.withLock { state in
                if let failure = state.failure { throw failure }
                return state.results.compactMap { $0 }
            }
        }
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread; returns `nil` if the system has none to give: the existing threads then do all the
    /// work.
    private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(body))
        let code = pthread_create(
            &thread, nil,
            { context in
                Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return nil
        }
        return thread
    }
}
