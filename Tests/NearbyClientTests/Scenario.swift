import Nearby
import NearbyClient
import NearbyTestSupport
import NearbyWire

/// The answers of a ``ScriptedServer``, path by path, and the requests that it has seen.
final class Scenario: Sendable {
    typealias Reply = ScriptedServer.Reply

    /// A client's stream of events while it is open.
    struct Feed: Sendable {
        let authorization: String?
        let texts: AsyncStream<String>.Continuation

        func send(_ answer: WireAnswer) {
            texts.yield("data: \(String(decoding: WireCoding.encode(answer), as: UTF8.self))\n\n")
        }
    }

    private struct State {
        var replies: [String: [Reply]] = [:]
        var registrations = 0
        var counts: [String: Int] = [:]
    }

    /// Streams as they are opened, and requests as they come; each is for one reader.
    let feeds: AsyncStream<Feed>
    let seen: AsyncStream<ScriptedServer.Seen>
    private let opened: AsyncStream<Feed>.Continuation
    private let noted: AsyncStream<ScriptedServer.Seen>.Continuation
    private let state = Locked(State())

    init() {
        (feeds, opened) = AsyncStream.makeStream()
        (seen, noted) = AsyncStream.makeStream()
    }

    func makeServer(port: Int = 0) async throws -> ScriptedServer {
        try await ScriptedServer(port: port) { [self] in reply(to: $0) }
    }

    /// Sets the next answers on this path; the usual ones follow.
    func answer(_ path: String, _ replies: Reply...) {
        state.withLock { $0.replies[path, default: []] += replies }
    }

    func report(_ replies: Reply...) { state.withLock { $0.replies["/v1/report", default: []] += replies } }

    /// Returns the number of requests on this path.
    func count(_ path: String) -> Int { state.withLock { $0.counts[path] ?? 0 } }

    private func reply(to request: ScriptedServer.Seen) -> Reply {
        defer { noted.yield(request) }
        return state.withLock { state in
            state.counts[request.path, default: 0] += 1
            if state.replies[request.path]?.isEmpty == false {
                return state.replies[request.path]!.removeFirst()
            }
            switch request.path {
            case "/v1/devices":
                state.registrations += 1
                return .secret("secret-\(state.registrations)")
            case "/v1/report": return .answer(WireAnswer(Answer(), mailbox: "m"))
            case "/v1/events":
                let (texts, continuation) = AsyncStream.makeStream(of: String.self)
                continuation.yield(": open\n\n")
                opened.yield(Feed(authorization: request.authorization, texts: continuation))
                return .events((texts, continuation))
            default: return .refusal(404)
            }
        }
    }
}

/// Returns events with these numbers, each found by subscription 1 and named by its number.
func events(_ numbers: ClosedRange<Int64>, _ mailbox: String = "m") throws -> WireAnswer {
    var answer = Answer()
    answer.deliveries = try numbers.map {
        .init(
            .found, Discovery(id: PublicationID(bits: UInt64($0)), message: try Message("\($0)")),
            to: OperationID(1))
    }
    return WireAnswer(answer, mailbox: mailbox, news: numbers.upperBound)
}

extension Report {
    static var complete: Report {
        var report = Report()
        report.isComplete = true
        return report
    }

    static var unregistration: Report {
        var report = Report()
        report.unregisters = true
        return report
    }
}

extension AsyncStream<Answer>.Iterator {
    /// Returns the numbers of the next events.
    mutating func nextNumbers() async -> [UInt64]? { await next()?.deliveries.map(\.discovery.id.bits) }
}

extension NearbyClientSettings {
    /// The settings of a client without a stream of events.
    static var polling: Self {
        var settings = NearbyClientSettings()
        settings.followsEvents = false
        return settings
    }

    /// The usual settings with quick reconnections.
    static var quick: Self {
        var settings = NearbyClientSettings()
        settings.reconnect = .milliseconds(20)...(.milliseconds(100))
        return settings
    }
}
