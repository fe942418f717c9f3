import Testing

@testable import AcousticModem

/// Tests that the cost of an hour of looks and decodings is bounded, however many candidates there are.
struct FSKBudgetTests {
    private static let leastNats: Float = 8

    private static func claim(_ nats: Float, isDistinct: Bool = false) -> FSKBudget.Claim {
        FSKBudget.Claim(nats: nats, least: leastNats, isDistinct: isDistinct)
    }

    /// Spends the budget on a hundred candidates a second, none of them a frame, each as loud as sound can
    /// be.
    private func spent(seconds: Int, isDistinct: Bool) -> (looks: Int, decodings: Int) {
        var budget = FSKBudget()
        var (looks, decodings) = (0, 0)
        let claim = FSKBudgetTests.claim(1e6, isDistinct: isDistinct)
        for _ in 0..<seconds {
            budget.refill(seconds: 1)
            for _ in 0..<100 where budget.takeLook(claim) {
                looks += 1
                guard budget.mayDecode(claim) else { continue }
                budget.spend(decodings: 40, on: claim)
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

    /// Spending on other candidates does not keep a frame with all its sync tones from being looked at.
    @Test func othersLeaveEnoughForWhatIsDistinct() {
        var budget = FSKBudget()
        let (other, distinct) = (FSKBudgetTests.claim(8), FSKBudgetTests.claim(8, isDistinct: true))
        while budget.mayDecode(other) { budget.spend(decodings: 40, on: other) }
        #expect(budget.mayDecode(distinct))
        let hasLook = budget.takeLook(other)
        #expect(hasLook)
        while budget.mayDecode(distinct) { budget.spend(decodings: 40, on: distinct) }
        let hasMore = budget.takeLook(distinct)
        #expect(!hasMore)
        budget.refill(seconds: 60)
        #expect(budget.mayDecode(other))
    }

    /// In an hour of candidates of 8 to 20 nats, a hundred a second, none of them is a frame. One of 200 nats
    /// is looked at and decoded, and one of 10 nats no longer.
    @Test func whatStandsOutHasItsTurn() {
        var budget = FSKBudget()
        for second in 0..<3600 {
            budget.refill(seconds: 1)
            for index in 0..<100 {
                let claim = FSKBudgetTests.claim(8 + Float((second + 37 * index) % 13))
                guard budget.takeLook(claim), budget.mayDecode(claim) else { continue }
                budget.spend(decodings: 20, on: claim)
            }
        }
        #expect(budget.mayDecode(FSKBudgetTests.claim(200)) && !budget.mayDecode(FSKBudgetTests.claim(10)))
        let looks = (budget.takeLook(FSKBudgetTests.claim(200)), budget.takeLook(FSKBudgetTests.claim(10)))
        #expect(looks == (true, false))
    }
}
