import AsyncHTTPClient
import Nearby
import Synchronization

/// Keeps a stream of events open. After each failure it reconnects, with growing pauses between the attempts.
struct EventFollower: Sendable {
    /// The reason why the stream is not opened again.
    enum Ending: Sendable, Hashable {
        /// The server no longer knows this device, so a report must come first.
        case unknownDevice
        /// The server has no stream of events.
        case hasNone
        case cancelled
    }

    /// The outcome of one attempt.
    private enum Try: Sendable {
        case ended(Ending)
        /// The stream could not be opened. The next attempt comes after `wait` or later.
        case failed(String, wait: Duration = .zero)
    }

    let core: ClientCore
    let secret: String
    private var settings: NearbyClientSettings { core.web.settings }

    init(core: ClientCore, secret: String) { (self.core, self.secret) = (core, secret) }

    func run() async -> Ending {
        var backOff = core.makeBackOff()
        while true {
            let begun = ContinuousClock.now
            let pulse = Pulse()
            let (why, least): (String, Duration)
            switch await follow(pulse) {
            case .ended(let ending):
                core.log.debug("events end", metadata: ["why": "\(ending)"])
                return ending
            case .failed(let reason, let wait): (why, least) = (reason, wait)
            }
            // A stream that lasted long enough resets the back-off. A stream that breaks soon after its start
            // counts as a failure.
            if begun.duration(to: .now) >= settings.reconnect.upperBound { backOff = core.makeBackOff() }
            let wait = max(least, core.wait(&backOff, isBroken: pulse.isOpen))
            core.log.debug("events broke off", metadata: ["why": "\(why)", "wait": "\(wait)"])
            do { try await Task.sleep(for: wait) } catch { return .cancelled }
        }
    }

    /// Reads one stream until it ends or falls silent.
    private func follow(_ pulse: Pulse) async -> Try {
        do {
            return try await withThrowingTaskGroup(of: Try.self) { group in
                group.addTask { try await read(pulse) }
                group.addTask { try await pulse.waitForSilence(of: settings.silence) }
                defer { group.cancelAll() }
                return try await group.next()!
            }
        } catch {
            return Task.isCancelled ? .ended(.cancelled) : .failed(OneLine.of(error, without: [secret]))
        }
    }

    private func read(_ pulse: Pulse) async throws -> Try {
        let response = try await core.web.events(bearer: secret)
        switch Int(response.status.code) {
        case 200: break
        case 401, 409: return .ended(.unknownDevice)
        case 404: return .ended(.hasNone)
        case 429: return .failed("status 429", wait: Web.retryAfter(response))
        case 503: return .failed("status 503", wait: Web.retryAfter(response, otherwise: 0))
        case let status: return .failed("status \(status)")
        }
        guard response.headers.first(name: "Content-Type")?.hasPrefix("text/event-stream") == true else {
            return .failed("no stream of events")
        }
        core.log.debug("events begin")
        pulse.open()
        var parser = EventParser(limit: settings.bodyLimit)
        // Without the stream, only reports show that this device is there.
        defer { core.endPresence(of: secret) }
        for try await chunk in response.body {
            pulse.beat()
            for event in try parser.take(chunk.readableBytesView) { core.take(event, of: secret) }
        }
        return .failed("the server has ended it")
    }
}

/// The time of the last data from the stream.
private final class Pulse: Sendable {
    private let last = Mutex(ContinuousClock.now)
    private let opened = Mutex(false)

    /// True if there was a stream, so that it broke when it ended.
    var isOpen: Bool { opened.withLock { $0 } }

    func open() { opened.withLock { $0 = true } }

    func beat() { last.withLock { $0 = .now } }

    /// Waits until the stream has been silent for `limit`. Throws: ``TimedOut``.
    func waitForSilence<Never>(of limit: Duration) async throws -> Never {
        while true {
            let quiet = last.withLock { $0 }.duration(to: .now)
            if quiet >= limit { throw TimedOut(limit: limit) }
            try await Task.sleep(for: limit - quiet)
        }
    }
}
