import Nearby
import Signal

@testable import NearbyOffline

/// One device's state, step by step, with reports made by hand. The test carries its frames to the others.
struct OfflineDevice {
    var state: OfflineState
    /// The time of both clocks. The engine's clock begins 10 s after the beginning of an epoch.
    var time: OfflineTime
    private(set) var deliveries: [Answer.Delivery] = []
    private(set) var token: Token?
    private(set) var frames: [SealedFrame] = []
    private(set) var lastAnswer = Answer()

    static let epoch: UInt64 = 5_936_000
    static let subscription = OperationID(100)
    static let project = OfflineProject(name: "shop", key: 0..<32)!

    init(
        _ seed: UInt64, project: OfflineProject = OfflineDevice.project, signer: PublisherKey? = nil,
        trust: OfflineTrust = .members, settings: OfflineSettings = OfflineSettings(), epochs: Int = 0
    ) {
        state = OfflineState(
            project, signer: signer, trust: trust, settings: settings, random: SplitMix64(seed: seed))
        let epoch = UInt64(Int(OfflineDevice.epoch) + epochs)
        time = OfflineTime(now: .start, wall: .seconds(Int64(epoch) * Int64(settings.epochSeconds) + 10))
    }

    mutating func take(_ report: Report) throws {
        let (answer, events) = try state.report(report, at: time)
        lastAnswer = answer
        take(answer)
        take(events)
    }

    mutating func take(_ answer: Answer) {
        deliveries += answer.deliveries
        for grant in answer.grants where grant.medium == .audio { token = grant.token }
        if let broadcasts = answer.broadcasts { frames = broadcasts[.audio] ?? [] }
    }

    /// Publishes these messages, and subscribes to everything.
    mutating func begin(publishing messages: [Message] = [], reach: Strategy.Reach = .anywhere) throws {
        var report = Report()
        report.isComplete = true
        for (n, message) in messages.enumerated() {
            let strategy = Strategy(media: [.audio], reach: reach)
            report.published[OperationID(UInt64(n) + 1)] = Publication(message, strategy: strategy)
        }
        report.subscribed[OfflineDevice.subscription] = Subscription(.everything)
        report.wantsTokens = [.audio]
        try take(report)
    }

    mutating func publish(_ message: Message, as id: UInt64 = 1) throws {
        var report = Report()
        report.published[OperationID(id)] = Publication(message, strategy: Strategy(media: [.audio]))
        report.wantsTokens = [.audio]
        try take(report)
    }

    mutating func hear(
        _ frames: [SealedFrame] = [], tokens: [Token] = [], on medium: Medium = .audio
    ) throws {
        var report = Report()
        report.heard = frames.map { FrameObservation($0, on: medium, age: .zero) }
        report.observations = tokens.map { TokenObservation($0, on: medium, age: .zero) }
        try take(report)
    }

    mutating func pass(_ duration: Duration) {
        var left = duration
        // Heartbeats follow as from the engine, because a silent device is forgotten.
        while left > .zero {
            let step = min(left, .seconds(5))
            time.now = time.now + step
            time.wall += step
            left -= step
            take(state.advance(to: time))
            try? take(Report())
        }
    }

    /// Returns the finds and losses since the last call, as words.
    mutating func events() -> [String] {
        defer { deliveries = [] }
        return deliveries.map { "\($0.change) \($0.discovery.message.text)" }
    }
}
