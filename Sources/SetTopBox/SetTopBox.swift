import AudioIO
import Logging
import Nearby
import NearbyOffline

/// A box that broadcasts by sound, and receives the messages of apps that hear it.
///
///     let box = try SetTopBox(configuration)
///     try await box.start()
///     for await arrived in box.messages { print(arrived.message.text) }
///
/// Without a microphone it only broadcasts, like the set-top box in Nearby Messages' documentation: an app
/// that scans hears it and reports that to the server, and what the app publishes arrives here.
///
///     BoxConfiguration ─→ engine ⇄ gate: quiet hours, pauses ⇄ loudspeaker, microphone
///                           ⇅
///                         server, or a key that devices share
///
/// It recovers by itself when a device or the server goes away and comes back. ``apply(_:)`` changes its
/// configuration while it works.
public actor SetTopBox {
    /// The messages that arrive, each once. The stream is for one reader, and ends when the box does.
    public nonisolated let messages: AsyncStream<BoxMessage>
    /// The configuration that was last applied.
    public internal(set) var configuration: BoxConfiguration

    let parts: BoxParts
    let log: Logger
    private let deliveryLog: DeliveryLog
    private let arrivals: AsyncStream<BoxMessage>.Continuation
    var running: BoxEngine?
    private var followers: [Task<Void, Never>] = []
    var hoursTask: Task<Void, Never>?
    private var engineStatus: EngineStatus?
    private var readers: [Int: AsyncStream<BoxStatus>.Continuation] = [:]
    private var lastReader = 0
    private var lastStatus = BoxStatus()
    /// True if the box was asked to end: then nothing begins any more.
    private var isOver = false
    /// The queue in which starting, changing and ending wait for one another.
    private var turns = TaskQueue()
    /// The number of the last order to the gated medium.
    var lastGateOrder = 0
    /// The error of the last reading of the quiet hours' time zone, and the number of changes that were found
    /// in it.
    var timeZone = (error: LocalTimeError?.none, updates: 0)

    /// The effect of a changed configuration.
    public enum Change: Sendable, Hashable {
        /// Everything is as it was.
        case nothing
        /// The box changed without a pause.
        case inPlace
        /// The box left and came back. Those who had found it may lose it and find it again.
        case restarted
    }

    /// Makes a box with a configuration. It is silent until ``start()``.
    ///
    /// - Parameters:
    ///   - parts: the parts of the box; by default the real ones.
    ///   - log: receives the debug lines of the engine and of the connection to the server.
    ///
    /// Throws ``BoxError/configuration(_:)``.
    public init(
        _ configuration: BoxConfiguration, parts: BoxParts = BoxParts(),
        log: Logger = Logger(label: "nearby.box")
    ) throws(BoxError) {
        do { try configuration.validate() } catch { throw .configuration(error) }
        (self.configuration, self.parts, self.log) = (configuration, parts, log)
        (messages, arrivals) = AsyncStream.makeStream()
        deliveryLog = DeliveryLog(arrivals)
    }

    deinit {
        for follower in followers { follower.cancel() }
        hoursTask?.cancel()
        arrivals.finish()
        for reader in readers.values { reader.finish() }
    }

    /// Starts the box. Once it has started, nothing that is missing ends it: it waits for devices and the
    /// server.
    ///
    /// Throws ``BoxError``; the box can be started again.
    public func start() async throws(BoxError) {
        await takeTurn()
        defer { turns.giveUp() }
        try await startInTurn()
    }

    private func startInTurn() async throws(BoxError) {
        guard !isOver else { throw .ended }
        guard running == nil else { return }
        let engine = try await makeEngine(configuration)
        do { try await engine.begin(configuration) } catch {
            await engine.end()
            throw error
        }
        guard !isOver else {
            await engine.end()
            throw .ended
        }
        follow(engine)
    }

    private func takeTurn() async {
        if !turns.takeIfFree() { await withCheckedContinuation { turns.enqueue($0) } }
    }

    /// Applies a new configuration. If it throws, the box goes on with the old one.
    ///
    /// Throws ``BoxError``.
    @discardableResult
    public func apply(_ new: BoxConfiguration) async throws(BoxError) -> Change {
        await takeTurn()
        defer { turns.giveUp() }
        guard !isOver else { throw .ended }
        do { try new.validate() } catch { throw .configuration(error) }
        let old = configuration
        guard new != old else { return .nothing }
        guard let engine = running else {
            configuration = new
            return .inPlace
        }
        if new.needsSameEngine(as: old) {
            try await engine.change(to: new)
            configuration = new
            await setGate()
            guard !isOver else { throw .ended }
            keepHours()
            return .inPlace
        }
        // The new engine's devices are not opened yet, because the present engine uses them.
        let next = try await makeEngine(new)
        unfollow()
        running = nil
        await engine.end()
        do throws(BoxError) {
            deliveryLog.engineChanged(forgets: new.registry.forgetsNames(of: old.registry))
            try await next.begin(new)
            guard !isOver else { throw BoxError.ended }
            configuration = new
            follow(next)
        } catch {
            await next.end()
            try await startInTurn()
            throw error
        }
        return .restarted
    }

    /// Falls silent, unregisters, and releases everything. It returns when that is done.
    public func end() async {
        isOver = true
        await takeTurn()
        defer { turns.giveUp() }
        unfollow()
        let engine = running
        running = nil
        await engine?.end()
        arrivals.finish()
        for reader in readers.values { reader.finish() }
        readers = [:]
    }

    // MARK: What it does

    /// The present status.
    public var status: BoxStatus {
        var status = BoxStatus()
        guard running != nil else { return status }
        (status.timeZoneError, status.timeZoneUpdates) = timeZone
        status.isKnown = deliveryLog.isKnown
        status.isQuiet = isQuiet
        guard let sound = engineStatus?.media[.audio] else { return status }
        // The engine learns a moment later that the quiet hours are over.
        let isHeldBack = sound.condition.broadcast == .heldBack
        status.isQuiet = isQuiet || isHeldBack
        status.isBroadcasting = sound.isBroadcasting && sound.condition.broadcast == nil
        status.isListening = sound.isScanning && sound.condition.scan == nil
        status.neighbours = sound.neighbours
        status.loudspeaker = status.isQuiet || isHeldBack ? nil : sound.condition.broadcast
        status.microphone = configuration.listens ? sound.condition.scan : nil
        status.reasons = sound.condition.reasons
        status.registryError = engineStatus?.registryError
        return status
    }

    /// The counters.
    public nonisolated var counts: BoxCounts { deliveryLog.counts }

    /// The present time on the engine's clock, which also gives ``BoxCounts/lastFrame``.
    public nonisolated var now: Instant { parts.clock.now() }

    /// Returns a stream of the status now and whenever it changes.
    public func statuses() -> AsyncStream<BoxStatus> {
        let (stream, reader) = AsyncStream.makeStream(
            of: BoxStatus.self, bufferingPolicy: .bufferingNewest(16))
        lastReader += 1
        let key = lastReader
        readers[key] = reader
        reader.onTermination = { [weak self] _ in Task { await self?.stopStatus(key) } }
        reader.yield(status)
        return stream
    }

    private func stopStatus(_ key: Int) { readers[key] = nil }

    func tellStatus() {
        let status = status
        guard status != lastStatus else { return }
        lastStatus = status
        for reader in readers.values { reader.yield(status) }
    }

    // MARK: The engine

    private func makeEngine(_ configuration: BoxConfiguration) async throws(BoxError) -> BoxEngine {
        let medium = try parts.makeMedium(configuration)
        do {
            let registry = try parts.makeRegistry(configuration, log)
            return BoxEngine(
                medium, registry, configuration, isSilent: isQuiet, clock: parts.clock,
                deliveryLog: deliveryLog,
                log: log)
        } catch {
            await medium.end()
            throw error
        }
    }

    private func follow(_ engine: BoxEngine) {
        running = engine
        followers = [
            Task { [weak self] in
                for await status in await engine.engine.statuses() { await self?.take(status) }
            },
            Task { [weak self] in for await _ in engine.changes { await self?.tellStatus() } },
        ]
        keepHours()
    }

    private func unfollow() {
        for follower in followers { follower.cancel() }
        followers = []
        hoursTask?.cancel()
        hoursTask = nil
        engineStatus = nil
    }

    private func take(_ status: EngineStatus) {
        engineStatus = status
        tellStatus()
    }
}
