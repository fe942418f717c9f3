import AudioMedium
import BLEMedium
import CommandOutput
import Nearby
import NearbyClient
import NearbyOffline
import SetTopBoxService
import UnixSignals

/// An engine with sound, a radio or both, and a server, or none, from its beginning to its end.
struct LiveEngine {
    private enum Registry {
        case server(NearbyClient)
        case offline(OfflineRegistry)
        /// Nobody is asked for anything.
        case none
    }

    let engine: NearbyEngine
    private let registry: Registry
    private let sound: AudioMedium?
    private let seconds: Double?

    /// - Parameters:
    ///   - signer: what is published without a server is signed with it.
    ///   - publishers: without a server nobody else is believed; none: all are.
    ///   - looksForBeacons: without a key nothing is known but their ids.
    init(
        _ options: LiveSettings, signer: PublisherKey? = nil, publishers: [Publisher] = [],
        looksForBeacons: Bool = false
    ) throws {
        let any: any TokenRegistry
        var beacons: (any BeaconRegistry)?
        if let file = options.offline {
            let offline = try options.registry(of: file, signer: signer, publishers: publishers)
            (registry, any) = (.offline(offline), offline)
        } else if looksForBeacons && !options.hasKey {
            (registry, any) = (.none, LocalRegistry().device())
        } else {
            let client = try options.client()
            (registry, any) = (.server(client), client)
            if looksForBeacons { beacons = client }
        }
        let bluetooth = try options.bluetooth()
        sound = try options.sound()
        let media: [(any MediumDriver)?] = [sound, bluetooth]
        engine = NearbyEngine(
            media: media.compactMap { $0 }, registry: any, beacons: beacons, log: LiveSettings.silence)
        seconds = options.seconds
    }

    /// Does `work` until it ends, the time is over, a signal comes, or the registry refuses; then says farewell.
    ///
    /// Throws: 77 when a server refuses, 64 for more than goes without one; what `work` throws.
    func run(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let (engine, registry, seconds) = (engine, registry, seconds)
        do {
            try await withThrowingTaskGroup { group in
                group.addTask { try await work() }
                group.addTask { try await LiveEngine.tell(engine.statuses(), registry) }
                if case .offline(let offline) = registry {
                    group.addTask { try await LiveEngine.tellStrangers(offline) }
                }
                group.addTask {
                    for await _ in await UnixSignalsSequence(trapping: UnixSignal.heeded(.sigint, .sigterm)) {
                        return
                    }
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
        await sound?.close()
        if case .server(let client) = registry { await client.shutdown() }
    }

    /// On standard error, once, when there is something to hear for which it has no key. Never returns by itself.
    private static func tellStrangers(_ registry: OfflineRegistry) async throws {
        while await registry.strangeFrameCount == 0 { try await Task.sleep(for: .seconds(1)) }
        StandardError.write(
            "heard what this key does not open: of another project, or one of the clocks is wrong by 5 minutes or more"
        )
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    /// On standard error, what changes: no server, no sound. Throws: 77 when a server refuses, 64 without one.
    private static func tell(_ statuses: AsyncStream<EngineStatus>, _ registry: Registry) async throws {
        var last: Set<String> = []
        for await status in statuses {
            if case .refused(let why)? = status.registryError {
                switch registry {
                case .server: throw CommandFailure(.noPermission, why)
                case .offline, .none: throw CommandFailure(.usage, why)
                }
            }
            var words = Set(status.registryError.map { ["\($0)"] } ?? [])
            for (medium, state) in status.media {
                // A radio says itself what it misses.
                for role in Role.allCases where medium != .ble {
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
