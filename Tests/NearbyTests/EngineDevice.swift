import Nearby
import Signal

/// A device whose media all work.
struct EngineDevice {
    var state = EngineState(permission: .granted, random: SplitMix64(seed: 1))
    var now = Instant.start
    private(set) var reports: [Report] = []
    private(set) var events: [OperationID: [SubscriptionEvent]] = [:]
    private(set) var assignments: [Medium: MediumAssignment] = [:]
    private var lastToken: UInt64 = 0

    init(media: [Medium] = [.audio]) {
        for medium in media { take(state.happened(.condition(.ready), on: medium, now: now)) }
    }

    mutating func take(_ actions: [EngineAction]) {
        for action in actions {
            switch action {
            case .report(let report): reports.append(report)
            case .deliver(let event, let id): events[id, default: []].append(event)
            case .assign(let assignment, let medium): assignments[medium] = assignment
            default: break
            }
        }
    }

    mutating func execute(_ operation: Nearby.Operation) throws {
        take(try state.execute([operation], now: now))
    }

    /// Accepts the last report as the registry does, and gives the tokens that it asks for.
    mutating func answer(_ deliveries: [Answer.Delivery] = []) {
        var answer = Answer()
        answer.deliveries = deliveries
        for medium in reports.last?.wantsTokens.sorted() ?? [] {
            lastToken += 1
            answer.grants.append(.init(Token(bits: lastToken), on: medium, timeToLive: .seconds(600)))
        }
        take(state.answered(answer, now: now))
    }

    mutating func tell(_ deliveries: [Answer.Delivery]) {
        var events = Answer()
        events.deliveries = deliveries
        take(state.notified(events, now: now))
    }

    mutating func fail(_ error: RegistryError = .unreachable("cut")) {
        take(state.failed(error, now: now))
    }

    mutating func set(_ permission: Permission) { take(state.setPermission(permission, now: now)) }

    mutating func pass(_ duration: Duration) {
        now = now + duration
        take(state.advance(to: now))
    }

    mutating func hear(_ payload: Sighting.Payload, on medium: Medium = .audio) {
        take(state.happened(.sighted(Sighting(payload, on: medium)), on: medium, now: now))
    }

    func token(on medium: Medium) -> Token? { assignments[medium]?.broadcast?.token }
}
