import Signal

/// Many trials on all cores; the result does not depend on the number of cores.
struct Campaign {
    let conditions: TrialConditions
    let seed: UInt64
    let threadCount: Int

    func point(ebN0Decibels: Double, trials: Int) throws -> CurvePoint {
        let outcomes = try WorkSharing.map(count: trials, threadCount: threadCount) { index in
            var trial = Trial(conditions, seed: seedOfTrial(index, ebN0Decibels))
            return try trial.run(ebN0Decibels: ebN0Decibels)
        }
        var point = CurvePoint(ebN0Decibels: ebN0Decibels, senderCount: conditions.senderCount)
        for outcome in outcomes { point.add(outcome) }
        return point
    }

    private func seedOfTrial(_ index: Int, _ ebN0Decibels: Double) -> UInt64 {
        var mixer = SplitMix64(seed: seed &* 0x1_0001 &+ UInt64(bitPattern: Int64(ebN0Decibels * 1000)))
        return mixer.next() &+ UInt64(index) &* 0x9E37_79B9
    }
}
