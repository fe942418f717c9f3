import Dispatch
import Signal
import Synchronization

/// Many trials on all cores; the result does not depend on how many there are.
struct Campaign {
    let conditions: TrialConditions
    let seed: UInt64
    let threadCount: Int

    func point(ebN0Decibels: Double, trials: Int) throws -> CurvePoint {
        let state = Mutex((point: CurvePoint(ebN0Decibels: ebN0Decibels), failure: (any Error)?.none))
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: max(1, threadCount)) { _ in
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < trials else { return }
                var trial = Trial(conditions, seed: seedOfTrial(index, ebN0Decibels))
                let result = Result { try trial.run(ebN0Decibels: ebN0Decibels) }
                state.withLock { state in
                    switch result {
                    case .success(let outcome): state.point.add(outcome)
                    case .failure(let error): state.failure = error
                    }
                }
            }
        }
        let (point, failure) = state.withLock { ($0.point, $0.failure) }
        if let failure { throw failure }
        return point
    }

    private func seedOfTrial(_ index: Int, _ ebN0Decibels: Double) -> UInt64 {
        var mixer = SplitMix64(seed: seed &* 0x1_0001 &+ UInt64(bitPattern: Int64(ebN0Decibels * 1000)))
        return mixer.next() &+ UInt64(index) &* 0x9E37_79B9
    }
}
