import AsyncHTTPClient
import FoundationEssentials
import Nearby
import NearbyWire

/// Sends requests to one server and returns the replies, without interpretation or memory.
struct Web: Sendable {
    struct Reply: Sendable {
        var status: Int
        var retryAfter: Duration
        /// The target of a redirect; `nil` in other replies.
        var location: String?
        var body: Data
    }

    let http: HTTPClient
    /// The server's address, without a slash at its end.
    let server: String
    let settings: NearbyClientSettings

    /// Sends a POST request.
    ///
    /// - Parameter name: the name of the request; the server answers a repetition like the first one.
    ///
    /// Throws: `.unreachable` if no complete reply arrived in time.
    func post(
        _ path: String, bearer: String, _ body: Data? = nil, name: String? = nil
    ) async throws(RegistryError) -> Reply {
        var request = request(path, bearer: bearer)
        request.method = .POST
        if let name { request.headers.add(name: "Idempotency-Key", value: "\"\(name)\"") }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(body)
        }
        do {
            return try await within(settings.answerTimeout) { [request] in
                let response = try await http.execute(request, deadline: .distantFuture)
                var body = Data()
                for try await chunk in response.body {
                    body.append(contentsOf: chunk.readableBytesView)
                    guard body.count <= settings.bodyLimit else { throw TooLarge(limit: settings.bodyLimit) }
                }
                return Reply(
                    status: Int(response.status.code), retryAfter: Web.retryAfter(response),
                    location: response.headers.first(name: "Location"), body: body)
            }
        } catch {
            throw .unreachable(OneLine.of(error, without: [bearer]))
        }
    }

    /// Opens the stream of events. It returns once the status is known, before any event is read.
    func events(bearer: String) async throws -> HTTPClientResponse {
        var request = request("/v1/events", bearer: bearer)
        request.headers.add(name: "Accept", value: "text/event-stream")
        return try await http.execute(request, timeout: .init(settings.answerTimeout))
    }

    private func request(_ path: String, bearer: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: server + path)
        request.headers.add(name: "Authorization", value: "Bearer \(bearer)")
        return request
    }

    /// The pause that the server requests, at most an hour.
    ///
    /// - Parameter otherwise: the seconds to wait if the server names no number of seconds.
    static func retryAfter(_ response: HTTPClientResponse, otherwise: Int = 5) -> Duration {
        let seconds = response.headers.first(name: "Retry-After").flatMap { Int($0) } ?? otherwise
        return .seconds(min(max(0, seconds), 3600))
    }
}

/// The error of work that exceeded its time limit.
struct TimedOut: Error {
    var limit: Duration
}

/// The error of a reply that exceeds ``NearbyClientSettings/bodyLimit``.
struct TooLarge: Error {
    var limit: Int
}

/// Runs `work` with a time limit. Throws: ``TimedOut``, or the errors of `work`.
private func within<Result: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask(operation: work)
        group.addTask {
            try await Task.sleep(for: limit)
            throw TimedOut(limit: limit)
        }
        defer { group.cancelAll() }
        return try await group.next()!
    }
}
