import Nearby
import Testing

@testable import NearbyService

/// Tests of budgets that no network can empty for all others.
@Suite struct FairBudgetTests {
    private static let limit = Budget.Limit(perSecond: 50, atOnce: 50_000)

    private static func network(_ number: Int) -> ClientNetwork {
        ClientNetwork("10.\(number / 250).\(number % 250).1")
    }

    /// Attackers spend whatever they get, for ten minutes. Each second there is one honest request, each time
    /// from a network of its own.
    ///
    /// Returns the number of honest requests that were refused.
    private static func refused(networks: Int, minutes: Int = 10) -> Int {
        var (budget, refused) = (FairBudget(), 0)
        for second in 0..<(60 * minutes) {
            let now = Instant.start + .seconds(second)
            for attacker in 0..<networks {
                while budget.wait(for: 1, network(attacker), limit, now: now) == nil {
                    budget.spend(1, network(attacker), limit, now: now)
                }
            }
            let honest = network(10_000 + second)
            if budget.wait(for: 1, honest, limit, now: now) == nil {
                budget.spend(1, honest, limit, now: now)
            } else {
                refused += 1
            }
        }
        return refused
    }

    @Test(arguments: [1, 100, 190]) func attackersLeaveSomethingToAllOthers(networks: Int) {
        #expect(Self.refused(networks: networks) == 0)
    }

    /// Attackers from more networks than there are shares empty the budget, as the threat table says.
    @Test func moreNetworksThanSharesEmptyIt() {
        #expect(Self.refused(networks: 400) > 0)
    }

    /// One network may use everything that is not scarce, and its later debt is bounded.
    @Test func aBusyNetworkIsServedWhereThereIsEnough() {
        var budget = FairBudget()
        let busy = Self.network(1)
        for _ in 0..<25_000 {
            #expect(budget.wait(for: 1, busy, Self.limit, now: .start) == nil)
            budget.spend(1, busy, Self.limit, now: .start)
        }
        let wait = budget.wait(for: 1, busy, Self.limit, now: .start)
        // Its share of the reserve, 125, is spent, and it owes as much again. A quarter of one comes back
        // each second.
        #expect(wait != nil && wait! <= .seconds(504))
    }

    /// The addresses of one /64 share one budget. So do many /64s of one /48, with eight times as much.
    @Test func addressesOfIPv6AreNoBudgetsOfTheirOwn() throws {
        var (budgets, settings) = (AddressBudgets(), ServiceSettings())
        settings.registrationsPerAddress = .init(perSecond: 1, atOnce: 10)
        func taken(_ addresses: [String]) -> Int {
            addresses.count { address in
                do throws(ServiceRefusal) {
                    try budgets.spend(1, .registration, ClientNetwork(address), settings, now: .start)
                    return true
                } catch { return false }
            }
        }
        #expect(taken((0..<101).map { "2001:db8:7:1::\(String($0, radix: 16))" }) == 10)
        #expect(taken((2..<500).map { "2001:db8:7:\(String($0, radix: 16))::1" }) == 70)
        #expect(taken(["2001:db8:8::1"]) == 1)
        #expect(taken(Array(repeating: "192.0.2.1", count: 20)) == 10)
        #expect(taken(Array(repeating: "::ffff:192.0.2.1", count: 20)) == 0)
    }
}
