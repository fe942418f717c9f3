import Nearby
import NearbyTestSupport
import SetTopBox
import Synchronization
import Testing

/// A box on a medium of its own and a clock that stands still, with a server that may go and come back
/// without its memory.
final class BoxScene: Sendable {
    let air = Air()
    let server: LostServer
    /// The time since 1970 when the clock began.
    let wallStart: Duration
    private let drivers = Mutex<[AirDriver]>([])
    /// The error of the next medium; `nil` if there is none.
    private let failure = Mutex<BoxError?>(nil)

    /// 1 June 2026, 12:00 UTC.
    static let noon = Duration.seconds(1_780_315_200)

    init(wallStart: Duration = BoxScene.noon) {
        self.wallStart = wallStart
        server = LostServer(air.clock.engineClock)
    }

    /// The assignment that the box's engine gave its medium last.
    var assignment: MediumAssignment { drivers.withLock { $0.last?.assignment ?? .idle } }
    /// The number of times that the box was set up.
    var driverCount: Int { drivers.withLock { $0.count } }
    func setLoudspeaker(_ condition: MediumCondition) { drivers.withLock { $0.last?.set(condition) } }
    func setFailure(_ error: BoxError?) { failure.withLock { $0 = error } }

    var parts: BoxParts {
        let (air, wallStart) = (air, wallStart)
        return BoxParts(
            makeMedium: { [self] configuration throws(BoxError) in
                if let failure = failure.withLock({ $0 }) { throw failure }
                let driver = air.driver(
                    .audio, condition: MediumCondition(scan: configuration.listens ? nil : .missing))
                drivers.withLock { $0.append(driver) }
                return .init(driver)
            },
            makeRegistry: { [server] _, _ throws(BoxError) in .init(server.device()) },
            clock: air.clock.engineClock, wallClock: { wallStart + air.clock.now.offset })
    }

    static func configuration() throws -> BoxConfiguration {
        BoxConfiguration(
            registry: .server(.init(url: "http://127.0.0.1:8480", apiKey: "k")),
            announcement: try Message("living room", type: "screen"))
    }

    /// Makes an app that only scans, like the documentation's snippet.
    func app() -> NearbyEngine {
        NearbyEngine(
            media: [air.driver(.audio, condition: MediumCondition(broadcast: .missing))],
            registry: server.device(), clock: air.clock.engineClock)
    }

    static let scan = Strategy(media: [.audio], mode: .scan)

    /// Lets virtual time pass until the condition holds. It fails if that takes longer than some minutes.
    func until(
        _ what: String, seconds: Int = 400, location: SourceLocation = #_sourceLocation,
        _ isSo: () async -> Bool
    ) async throws {
        for _ in 0..<(seconds * 2) {
            if try await settled(isSo) { return }
            air.advance(by: .milliseconds(500))
        }
        Issue.record("not so: \(what)", sourceLocation: location)
    }

    /// Lets so much virtual time pass, and lets all tasks do their work.
    func pass(seconds: Int) async throws {
        for _ in 0..<(seconds * 2) {
            _ = try await settled { false }
            air.advance(by: .milliseconds(500))
        }
    }

    /// Gives all tasks their turns.
    private func settled(_ isSo: () async -> Bool) async throws -> Bool {
        if await isSo() { return true }
        for _ in 0..<20 { await Task.yield() }
        try await Task.sleep(for: .milliseconds(1))
        return await isSo()
    }
}

/// A registry that devices share. It may not answer for a while, and may begin anew.
final class LostServer: Sendable {
    private struct State {
        var registry: LocalRegistry
        var isReachable = true
        /// The number of times that it began anew.
        var life = 0
        var streams: [AsyncStream<Answer>.Continuation] = []

        /// Ends all streams: from now on devices must report to show that they are there.
        func breakStreams() {
            var answer = Answer()
            answer.keepAlive = .seconds(5)
            for stream in streams { stream.yield(answer) }
        }
    }

    private let state: Mutex<State>
    private let clock: EngineClock

    init(_ clock: EngineClock) {
        self.clock = clock
        state = Mutex(State(registry: LocalRegistry(clock: clock)))
    }

    func set(isReachable: Bool) {
        state.withLock {
            $0.isReachable = isReachable
            if !isReachable { $0.breakStreams() }
        }
    }

    func beginAnew() {
        state.withLock {
            $0.registry = LocalRegistry(clock: clock)
            $0.life += 1
            $0.breakStreams()
        }
    }

    func device() -> any TokenRegistry { Device(self) }

    private actor Device: TokenRegistry {
        private let server: LostServer
        private var inner: (any TokenRegistry)?
        private var life = -1
        private let stream: AsyncStream<Answer>
        private let continuation: AsyncStream<Answer>.Continuation
        private var forwarding: Task<Void, Never>?

        init(_ server: LostServer) {
            self.server = server
            (stream, continuation) = AsyncStream.makeStream()
            server.state.withLock { [continuation] in $0.streams.append(continuation) }
        }

        deinit { forwarding?.cancel() }

        nonisolated func events() -> AsyncStream<Answer> { stream }

        func report(_ report: Report) async throws(RegistryError) -> Answer {
            let (registry, isReachable, life) = server.state.withLock {
                ($0.registry, $0.isReachable, $0.life)
            }
            guard isReachable else { throw .unreachable("lost") }
            if life != self.life {
                guard report.isComplete else { throw .unknownDevice }
                forwarding?.cancel()
                let (next, continuation) = (registry.device(), continuation)
                (inner, self.life) = (next, life)
                let events = next.events()
                forwarding = Task { for await answer in events { continuation.yield(answer) } }
            }
            guard let inner else { throw .unknownDevice }
            return try await inner.report(report)
        }
    }
}

/// The messages that have arrived so far.
final class Arrivals: Sendable {
    private let all = Mutex<[BoxMessage]>([])

    init(_ box: SetTopBox) {
        let messages = box.messages
        Task { [weak self] in for await message in messages { self?.take(message) } }
    }

    private func take(_ message: BoxMessage) { all.withLock { $0.append(message) } }
    var messages: [BoxMessage] { all.withLock { $0 } }
    var texts: [String] { messages.map(\.message.text) }
}

/// The messages that an app found, changed and lost: `+text`, `=text`, `-text`.
final class Findings: Sendable {
    private let all = Mutex<[String]>([])

    init(_ events: SubscriptionEvents) {
        Task { [weak self] in for await event in events { self?.take(event) } }
    }

    private func take(_ event: SubscriptionEvent) {
        all.withLock { all in
            switch event {
            case .found(let one): all.append("+\(one.message.text)")
            case .updated(let one): all.append("=\(one.message.text)")
            case .lost(let one): all.append("-\(one.message.text)")
            case .heardBytes, .expired: break
            }
        }
    }

    var words: [String] { all.withLock { $0 } }
}
