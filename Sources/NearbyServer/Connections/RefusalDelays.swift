import NearbyService
import Synchronization

/// The delays before answers that refuse something. At first there is none; the delay grows the more an
/// address was refused lately.
///
/// A refusal costs the server time that other clients need. An address that keeps within ``free`` refusals,
/// and two more a second, never waits.
final class RefusalDelays: Sendable {
    private struct Debt {
        var amount = 0.0
        /// The number of connections that wait.
        var waiting = 0
        var last: ContinuousClock.Instant
    }

    /// The number of refusals of one address that are answered at once.
    static let free = 20.0
    static let perSecond = 2.0
    static let longest = Duration.seconds(1)
    /// The delay grows by this with each refusal too many.
    static let step = Duration.milliseconds(100)
    /// The highest number of addresses that are tracked. Further addresses share one debt.
    static let mostAddresses = 16_384

    /// The longest delay of a new connection from an address in debt. It is short because other clients at
    /// the address may be honest.
    static let longestOfConnection = Duration.milliseconds(250)

    private let debts = Mutex<[IPAddress?: Debt]>([:])

    /// The highest number of connections from one address that wait. Nothing is known about them meanwhile,
    /// and they take places.
    static let mostWaiting = 32

    /// Returns how long a new connection waits before anything is read from it. Zero means that it does not
    /// wait and is not counted as waiting.
    func beginWait(
        ofConnectionFrom address: IPAddress?, now: ContinuousClock.Instant = .now
    ) -> Duration {
        debts.withLock { debts in
            guard let debt = debts[address?.site], debt.waiting < RefusalDelays.mostWaiting else {
                return .zero
            }
            let delay = RefusalDelays.delay(RefusalDelays.amount(debt, now))
            if delay > .zero { debts[address?.site]!.waiting += 1 }
            return min(RefusalDelays.longestOfConnection, delay)
        }
    }

    /// Notes that a waiting connection waits no more.
    func endWait(ofConnectionFrom address: IPAddress?) {
        debts.withLock { $0[address?.site]?.waiting -= 1 }
    }

    /// Notes the end of a connection whose peer had shown no known key or device.
    func noteStranger(from address: IPAddress?) { _ = delay(ofRefusal: 1, to: address) }

    /// - Parameters:
    ///   - cost: The weight of the refusal; 1 for an ordinary one.
    ///   - address: The refused address. `nil` stands for all clients whose address is unknown.
    func delay(
        ofRefusal cost: Double, to address: IPAddress?, now: ContinuousClock.Instant = .now
    ) -> Duration {
        debts.withLock { debts in
            var key = address?.site
            if debts[key] == nil, debts.count >= RefusalDelays.mostAddresses {
                debts = debts.filter { $0.value.waiting > 0 || RefusalDelays.amount($0.value, now) > 0 }
                if debts.count >= RefusalDelays.mostAddresses { key = nil }
            }
            var debt = debts[key] ?? Debt(last: now)
            let most = RefusalDelays.free + RefusalDelays.longest / RefusalDelays.step
            (debt.amount, debt.last) = (min(most, RefusalDelays.amount(debt, now) + cost), now)
            debts[key] = debt
            return RefusalDelays.delay(debt.amount)
        }
    }

    private static func delay(_ amount: Double) -> Duration {
        amount <= free ? .zero : step * (amount - free).rounded(.up)
    }

    private static func amount(_ debt: Debt, _ now: ContinuousClock.Instant) -> Double {
        max(0, debt.amount - perSecond * (debt.last.duration(to: now) / .seconds(1)))
    }
}
