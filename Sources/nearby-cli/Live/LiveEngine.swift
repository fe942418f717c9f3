import AudioMedium
import BLEMedium
import CommandOutput
import Nearby
import NearbyClient
import NearbyOffline
import SetTopBoxService
import UnixSignals

/// An engine with sound, a radio or both, and with a server or its substitute, from its start to its end.
struct LiveEngine {
    private enum Registry {
        case server(NearbyClient)
        case offline(OfflineRegistry)
        /// The command needs no registry beyond this process.
        case none
    }

    /// The way in which a run ended.
    enum Ending: Sendable {
        /// The work ended by itself.
        case done
        /// The time limit passed.
        case timeIsOver
        /// A signal ended the run.
        case interrupted
    }

    let engine: NearbyEngine
    private let conditions: LiveConditions
    private let registry: Registry
    private let sound: AudioMedium?
    private let seconds: Double?

    /// - Parameters:
    ///   - signer: the key that signs publications without a server.
    ///   - publishers: the only publishers to accept without a server; empty to accept all members.
    ///   - looksForBeacons: `true` to look for beacons. Without a key only their identifiers are known.
    init(
        _ options: LiveSettings, signer: PublisherKey? = nil, publishers: [Publisher] = [],
        looksForBeacons: Bool = false
    ) throws {
        conditions = LiveConditions(options)
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
        let bluetooth = try options.bluetooth(conditions)
        sound = try options.sound(conditions)
        let media: [(any MediumDriver)?] = [sound, bluetooth]
        engine = NearbyEngine(
            media: media.compactMap { $0 }, registry: any, beacons: beacons, log: LiveSettings.silence)
        seconds = options.seconds
    }

    /// Runs `work` until it ends, the time limit passes, a signal comes, the registry refuses a report, or a
    /// needed device does not open. Then the engine sends the report that unregisters it and ends.
    ///
    /// - Parameter isPrinting: `true` if `work` writes to standard output; the run then ends when the reader
    ///   is gone.
    ///
    /// Throws: 77 if a server refuses a report; 64 for a publication that exceeds the limits of use without a
    /// server; 65 to 77 for a device; 141 if the reader is gone; the errors of `work`.
    @discardableResult
    func run(isPrinting: Bool = false, _ work: @escaping @Sendable () async throws -> Void) async throws
        -> Ending
    {
        let signals = await UnixSignalsSequence(trapping: UnixSignal.heeded(.sigint, .sigterm))
        let ending: Ending
        do {
            ending = try await withThrowingTaskGroup(of: Ending.self) { group in
                addWatchers(to: &group, signals)
                if isPrinting {
                    group.addTask {
                        try await StandardOutput.untilReaderIsGone()
                        throw CancellationError()
                    }
                }
                group.addTask {
                    try await work()
                    return .done
                }
                defer { group.cancelAll() }
                return try await group.next()!
            }
        } catch {
            await end()
            throw error
        }
        await end()
        return ending
    }

    /// Adds the tasks that end the work from outside.
    private func addWatchers(
        to group: inout ThrowingTaskGroup<Ending, any Error>, _ signals: UnixSignalsSequence
    ) {
        let (engine, registry, conditions, seconds) = (engine, registry, conditions, seconds)
        group.addTask {
            for await failure in conditions.fatal { throw failure }
            throw CancellationError()
        }
        group.addTask {
            let hasServer = if case .server = registry { true } else { false }
            for await status in await engine.statuses() {
                try conditions.note(status, hasServer: hasServer)
            }
            throw CancellationError()
        }
        if case .offline(let offline) = registry {
            group.addTask { try await LiveEngine.tellStrangers(offline) }
        }
        group.addTask {
            for await _ in signals { break }
            return .interrupted
        }
        if let seconds {
            group.addTask {
                try await Task.sleep(for: .seconds(seconds))
                return .timeIsOver
            }
        }
    }

    /// Returns the failure of a command that achieved nothing: the trouble of a device or the registry, or
    /// else `otherwise`.
    func failure(or otherwise: CommandFailure) -> CommandFailure { conditions.failure ?? otherwise }

    private func end() async {
        await engine.end()
        await sound?.close()
        if case .server(let client) = registry { await client.shutdown() }
    }

    /// Reports once, on standard error, that frames were received for which there is no key. It never returns
    /// by itself.
    private static func tellStrangers(_ registry: OfflineRegistry) async throws -> Ending {
        while await registry.strangeFrameCount == 0 { try await Task.sleep(for: .seconds(1)) }
        StandardError.write(
            "heard a message that this key does not decrypt: it is of another project, or a clock is wrong by 5 minutes or more"
        )
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}
