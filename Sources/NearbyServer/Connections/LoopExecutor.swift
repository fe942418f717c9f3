import NIOCore
import Synchronization

/// Runs the jobs of a task on the event loop of its connection. The threads of the global executor would have
/// to be woken for each step of an answer, and that costs more than the steps do.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The executors of a server's event loops.
final class LoopExecutors: Sendable {
    private let all = Mutex<[ObjectIdentifier: LoopExecutor]>([:])

    subscript(loop: any EventLoop) -> LoopExecutor {
        all.withLock { all in
            if let executor = all[ObjectIdentifier(loop)] { return executor }
            let executor = LoopExecutor(loop)
            all[ObjectIdentifier(loop)] = executor
            return executor
        }
    }
}
