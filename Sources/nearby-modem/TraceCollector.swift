import AcousticModem
import Synchronization

/// Keeps what a receiver gave up at one stage until it is printed.
final class TraceCollector: ReceiverObserver {
    private let stage: CandidateTrace.Stage
    private let traces = Mutex<[CandidateTrace]>([])

    init(stage: CandidateTrace.Stage) { self.stage = stage }

    func settled(_ candidate: CandidateTrace) {
        guard candidate.stage == stage else { return }
        traces.withLock { $0.append(candidate) }
    }

    /// Those since the last call.
    func take() -> [CandidateTrace] {
        traces.withLock { kept in
            defer { kept = [] }
            return kept
        }
    }
}
