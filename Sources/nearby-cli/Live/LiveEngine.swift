import CommandOutput
import Nearby
import NearbyClient
import UnixSignals

/// An engine with a server and sound, from its beginning to its end.
struct LiveEngine {
    let engine: NearbyEngine
    private let client: NearbyClient
    private let seconds: Double?

    init(_ options: ClientOptions) throws {
        client = try options.client()
        engine = NearbyEngine(media: [try options.medium()], registry: client, log: ClientOptions.silence)
        seconds = options.seconds
    }

    /// Does `work` until it ends, the time is over, a signal comes, or the server refuses; then says farewell.
    ///
    /// Throws: 77 when the server refuses; what `work` throws.
    func run(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let (engine, seconds) = (engine, seconds)
        do {
            try await withThrowingTaskGroup { group in
                group.addTask { try await work() }
                group.addTask { try await LiveEngine.tell(engine.statuses()) }
                group.addTask {
                    for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) { return }
                }
                if let seconds { group.addTask { try await Task.sleep(for: .seconds(seconds)) } }
                try await group.next()
                group.cancelAll()
            }
        } catch {
            await end()
            throw error
        }
        await end()
    }

    private func end() async {
        await engine.end()
        await client.shutdown()
    }

    /// On standard error, what changes: no server, no sound. Throws: 77 when the server refuses.
    private static func tell(_ statuses: AsyncStream<EngineStatus>) async throws {
        var last: Set<String> = []
        for await status in statuses {
            if case .refused(let why)? = status.registryError { throw CommandFailure(.noPermission, why) }
            var words = Set(status.registryError.map { ["\($0)"] } ?? [])
            for (medium, state) in status.media {
                for role in Role.allCases {
                    guard let obstacle = state.condition[role], obstacle != .missing else { continue }
                    words.insert(StrategyWords.obstacle(obstacle, medium, role))
                }
                if state.isUnheard { words.insert("\(medium): its own tokens are not heard; louder?") }
            }
            for word in words.subtracting(last).sorted() { StandardError.write(word) }
            last = words
        }
    }
}
