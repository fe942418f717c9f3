import NearbyService
import Synchronization

/// The orderly end of a server with many devices. First `/healthz` says so, and no stream is opened any more.
/// Then the streams are closed at a steady rate, so that the devices reach other servers, or this one after
/// its restart, one after another.
final class Drain: Sendable {
    private struct State {
        var isOn = false
        var streams: [Int: @Sendable () -> Void] = [:]
        var count = 0
    }

    /// The time between two steps.
    private static let step = Duration.milliseconds(20)

    private let rate: Double
    private let time: Duration
    private let state = Mutex(State())
    private let requests: AsyncStream<Void>
    private let request: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - rate: The streams that are closed each second.
    ///   - time: The time after which the remaining streams are closed together.
    init(rate: Double, time: Duration) {
        (self.rate, self.time) = (rate, time)
        (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// True if the server is ending.
    var isOn: Bool { state.withLock { $0.isOn } }

    /// Asks for the orderly end, as a signal does. No stream is opened any more when this returns.
    func begin() {
        state.withLock { $0.isOn = true }
        request.yield()
    }

    /// Returns when the end was asked for; `false` if the task is cancelled before.
    func isAskedFor() async -> Bool { await requests.first { _ in true } != nil }

    /// Notes an open stream.
    ///
    /// - Parameter end: Ends the stream. It is called at most once, from any thread.
    /// - Returns: The stream's number; `nil` if the server is ending, so that it must not be opened.
    func add(_ end: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            guard !state.isOn else { return nil }
            state.count += 1
            state.streams[state.count] = end
            return state.count
        }
    }

    /// Notes that a stream has ended by itself.
    func remove(_ number: Int) { state.withLock { _ = $0.streams.removeValue(forKey: number) } }

    /// Closes the streams, the oldest first. It returns when there are none, when the time is over, or when
    /// the task is cancelled.
    func run() async {
        let order = state.withLock { state in
            state.isOn = true
            return state.streams.keys.sorted()
        }
        let start = ContinuousClock.now
        var closed = 0
        while closed < order.count {
            let passed = start.duration(to: .now)
            guard passed < time else { return }
            let due = min(order.count, 1 + Int(passed / .seconds(1) * rate))
            for number in order[closed..<max(closed, due)] {
                state.withLock { $0.streams.removeValue(forKey: number) }?()
            }
            closed = max(closed, due)
            guard (try? await Task.sleep(for: Drain.step)) != nil else { return }
        }
    }
}
