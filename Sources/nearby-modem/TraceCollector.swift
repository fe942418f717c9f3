import AcousticModem
import Synchronization

/// A collector of the candidates that a receiver gave up at one stage, until they are printed.
final class TraceCollector: ReceiverObserver {
    private let stage: CandidateTrace.Stage
    private let traces = Mutex<[CandidateTrace]>([])

    init(stage: CandidateTrace.Stage) { self.stage = stage }

    func settled(_ candidate: CandidateTrace) {
        guard candidate.stage == stage else { return }
        traces.withLock { $0.append(candidate) }
    }

    /// Returns the candidates since the last call.
    func take() -> [CandidateTrace] {
        traces.withLock { kept in
            defer { kept = [] }
            return kept
        }
    }
}
