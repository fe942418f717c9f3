import Nearby
import NearbyService
import Testing

@Suite struct BudgetTests {
    /// The time to wait can be stated, however slow a limit is.
    @Test func aWaitWithoutAnEnd() {
        var budget = Budget()
        let slow = Budget.Limit(perSecond: 1e-300, atOnce: 0.5)
        #expect(budget.wait(for: 1, slow, now: .start) == .seconds(31_536_000))
        #expect(budget.wait(for: 0.5, slow, now: .start) == nil)
    }
}
