import Nearby
import NearbyWire
import Signal
import Synchronization

@testable import NearbyService

/// A clock that tests move.
final class HandClock: Sendable {
    private let time = Mutex(Duration.zero)

    var clock: ServiceClock { ServiceClock(startUnixMillis: 1_700_000_000_000) { self.time.withLock { $0 } } }
    func pass(_ duration: Duration) { time.withLock { $0 += duration } }
}

/// One project from its devices' view: all devices broadcast and scan by sound.
struct ServiceWorld {
    var state: ProjectState
    var now = Instant.start
    private var random = SplitMix64(seed: 7)

    init(_ settings: ServiceSettings = ServiceSettings(), seed: UInt64 = 1) {
        state = ProjectState(
            settings: settings, startUnixMillis: 1_700_000_000_000, random: SplitMix64(seed: seed))
        let day = state.registry.day(at: now)
        state.registry.setTokenKeys(
            (day - 1...day + 1).map {
                TokenKey(day: $0, bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 16))!
            })
    }

    mutating func join(key: Int64 = 1, from client: ClientNetwork = .home) throws -> SecretHash {
        let secret = Secret(.device, of: ProjectID(1), random: &random).hash
        try state.register(secret, key: KeyID(key), from: client, now: now)
        return secret
    }

    @discardableResult
    mutating func report(
        _ secret: SecretHash, number: Int64? = nil, mailbox: String? = nil, taken: Int64? = nil,
        at client: ClientNetwork = .home,
        _ fill: (inout Report) throws -> Void = { _ in }
    ) throws -> (reply: ProjectState.Reply, effects: ProjectState.Effects) {
        var report = Report()
        try fill(&report)
        return try state.report(
            report, number: number, mailbox: mailbox, takenNews: taken, from: secret, at: client,
            now: now)
    }

    mutating func token(of secret: SecretHash) throws -> Token {
        try report(secret) { $0.wantsTokens = [.audio] }.reply.answer.grants[0].token
    }

    /// Makes a publisher and a subscriber that are not near each other yet. Returns them and the publisher's
    /// token.
    mutating func pair() throws -> (publisher: SecretHash, subscriber: SecretHash, token: Token) {
        let (publisher, subscriber) = (try join(), try join())
        try report(publisher) { $0.published[OperationID(1)] = Publication(try Message("m", type: "t")) }
        try report(subscriber) { $0.subscribed[OperationID(1)] = Subscription() }
        return (publisher, subscriber, try token(of: publisher))
    }
}

extension ClientNetwork {
    static let home = ClientNetwork("192.0.2.7")
}

extension Report {
    mutating func hear(_ token: Token, on medium: Medium = .audio, age: Duration = .zero) {
        observations.append(TokenObservation(token, on: medium, age: age))
    }
}
