import Nearby
import Synchronization

/// The admission of what costs most when many devices come back at once: new connections, complete reports
/// and streams of events. Each has a budget. What is over the budget is told a turn at which to come back, so
/// that those that wait spread over the time that serving them takes.
///
///     budget:  ░░░░░░░░░░░░░░░░░░░░│▓▓▓▓▓▓▓▓▓▓│▓▓▓▓▓│▓▓▓▓▓
///              everybody           │idle      │new  │live      the rest by shares of networks
///
/// A device with something nearby (live) goes before a new one, and that before all others (idle). Half of
/// the budget is for everybody, as in ``FairBudget``; what is below is kept for the ranks above.
package final class Admission: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case connections, reports, streams
    }

    /// The order in which devices are served. A connection has no rank, because nothing is known about it.
    package enum Rank: String, Sendable, CaseIterable {
        case live, new, idle

        /// The part of the budget that stays for the ranks above.
        fileprivate var reserve: Double {
            switch self {
            case .live: 0
            case .new: 0.125
            case .idle: 0.25
            }
        }
    }

    package struct Refused: Sendable, Hashable {
        package var kind: Kind
        package var rank: Rank

        package init(kind: Kind, rank: Rank) { (self.kind, self.rank) = (kind, rank) }
    }

    /// The connections for each device that returns: one for reports and one for its stream.
    private static let connectionsPerReturn = 2.0
    /// The seconds of returns that are admitted at once after a quiet time. The server has served them before
    /// their clients lose patience.
    private static let burstSeconds = 5.0

    private struct Gate: Sendable {
        let limit: Budget.Limit
        var budget = FairBudget()
        var turns = FairReturnTurns()
    }

    private struct State: Sendable {
        var gates: [Kind: Gate] = [:]
        var refused: [Refused: Int] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter rate: the devices that may return each second.
    init(rate: Double) {
        var state = State()
        for kind in Kind.allCases {
            let all = kind == .connections ? rate * Admission.connectionsPerReturn : rate
            state.gates[kind] = Gate(
                limit: Budget.Limit(perSecond: all, atOnce: max(2000, all * Admission.burstSeconds)))
        }
        self.state = Mutex(state)
    }

    /// The number of refusals since the start.
    package var refused: [Refused: Int] { state.withLock { $0.refused } }

    /// Admits one connection, report or stream. Returns `nil`, or the time after which it may come again.
    package func admit(_ kind: Kind, _ rank: Rank, from client: ClientNetwork, now: Instant) -> Duration? {
        state.withLock { state in
            let limit = state.gates[kind]!.limit
            let least = state.gates[kind]!.budget
                .wait(for: 1, client, limit, keeping: rank.reserve * limit.atOnce, now: now)
            guard let least else {
                state.gates[kind]!.budget.spend(1, client, limit, now: now)
                return nil
            }
            state.refused[Refused(kind: kind, rank: rank), default: 0] += 1
            // A device with something nearby does not wait for the turns of others.
            guard rank != .live else { return max(least, .seconds(1)) }
            return state.gates[kind]!.turns.take(after: least, client, limit, now: now)
        }
    }
}

extension NearbyService {
    /// Admits a new connection, before anything is spent on it. Returns `nil`, or the time after which it may
    /// come again.
    package nonisolated func admitConnection(from address: String) -> Duration? {
        admission.admit(.connections, .idle, from: ClientNetwork(address), now: clock.now)
    }
}
