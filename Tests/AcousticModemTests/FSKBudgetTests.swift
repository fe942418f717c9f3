import Testing

@testable import AcousticModem

/// However many candidates there are, what an hour of looks and decodings takes is bounded.
struct FSKBudgetTests {
    /// A hundred candidates a second, none of them a frame.
    private func spent(seconds: Int, isDistinct: Bool) -> (looks: Int, decodings: Int) {
        var budget = FSKBudget()
        var (looks, decodings) = (0, 0)
        for _ in 0..<seconds {
            budget.refill(seconds: 1)
            for _ in 0..<100 where budget.takeLook() {
                looks += 1
                guard budget.mayDecode(isDistinct: isDistinct) else { continue }
                budget.spend(decodings: 40)
                decodings += 40
            }
        }
        return (looks, decodings)
    }

    @Test(arguments: [(false, 5), (true, 10)])
    func anHourCostsSoMuchASecond(_ isDistinct: Bool, _ decodingsPerSecond: Int) {
        let (minute, hour) = (
            spent(seconds: 60, isDistinct: isDistinct), spent(seconds: 3600, isDistinct: isDistinct)
        )
        #expect(hour.looks - minute.looks <= 10 * 3540)
        let decodings = hour.decodings - minute.decodings
        #expect(abs(decodings - decodingsPerSecond * 3540) <= 2 * 40, "\(decodings)")
    }

    /// What others spent does not keep a frame from being looked at whose sync tones are all there.
    @Test func othersLeaveEnoughForWhatIsDistinct() {
        var budget = FSKBudget()
        while budget.mayDecode(isDistinct: false) { budget.spend(decodings: 40) }
        #expect(budget.mayDecode(isDistinct: true))
        let hasLook = budget.takeLook()
        #expect(hasLook)
        while budget.mayDecode(isDistinct: true) { budget.spend(decodings: 40) }
        let hasMore = budget.takeLook()
        #expect(!hasMore)
        budget.refill(seconds: 60)
        #expect(budget.mayDecode(isDistinct: false))
    }
}
