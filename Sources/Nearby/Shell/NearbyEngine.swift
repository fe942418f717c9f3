import Logging

/// An engine that publishes messages, and subscribes to messages, between devices that hear each other.
///
///     let engine = NearbyEngine(media: [microphoneAndSpeaker], registry: registry)
///     let publication = try await engine.publish(Message("Anna", type: "name"))
///     for await event in try await engine.subscribe(to: .type("name")) { … }
///
/// It is the shell around ``EngineState``: it has the clock, the media and the registry.
public actor NearbyEngine {
    var state: EngineState
    let registry: any TokenRegistry
    let beacons: (any BeaconRegistry)?
    let media: [Medium: any MediumDriver]
    let clock: EngineClock
    let log: Logger
    let askPermission: PermissionRequest?
    let trace: (@Sendable (EngineTrace) -> Void)?

    private var lastNumber: UInt64 = 0
    var readers: [OperationID: OperationReader] = [:]
    var statusReaders: [UInt64: AsyncStream<EngineStatus>.Continuation] = [:]
    var timer = RestartableTimer()
    private var lateTimer = LateTimer()
    var listeners: [Task<Void, Never>] = []
    var isAsking = false
    /// The queues of assignments, one for each medium: a driver receives them one after the other, in order.
    var orders: [Medium: AsyncStream<MediumAssignment>.Continuation] = [:]
    var messengers: [Task<Void, Never>] = []
    var ending: Task<Void, Never>?
    /// The task of the query about beacons that is in flight.
    var asking: Task<Void, Never>?

    /// Asks the user whether this device may find others and be found. Returns `nil` if the user has not
    /// decided.
    public typealias PermissionRequest = @Sendable () async -> Bool?

    /// The longest wait for the registry's answer to the last report, which unregisters.
    public static let unregistrationPatience = Duration.seconds(5)

    struct OperationReader {
        var events: AsyncStream<SubscriptionEvent>.Continuation?
        var status: (@Sendable (OperationStatus) -> Void)?
        var askPermission: PermissionRequest?
    }

    /// - Parameters:
    ///   - media: one driver for each medium. The engine starts to use them with the first operation.
    ///   - beacons: the registry of beacons, or `nil` to deliver their ids as they are (``RawBeacon``).
    ///   - permission: the user's last decision.
    ///   - askPermission: called when an operation begins without the user's permission. If it is `nil`, the
    ///     permission stays as it is until ``setPermission(_:)``.
    ///   - trace: receives what the engine hears and does, in order, for debug logs. It must return soon.
    public init(
        media: [any MediumDriver], registry: any TokenRegistry, beacons: (any BeaconRegistry)? = nil,
        permission: Permission = .granted,
        askPermission: PermissionRequest? = nil, settings: EngineSettings = .standard,
        clock: EngineClock = .continuous(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        log: Logger = Logger(label: "nearby.engine"), trace: (@Sendable (EngineTrace) -> Void)? = nil
    ) {
        state = EngineState(
            permission: permission, settings: settings, takesFrames: registry.takesFrames,
            hasBeaconRegistry: beacons != nil, random: random)
        self.media = Dictionary(media.map { ($0.medium, $0) }, uniquingKeysWith: { first, _ in first })
        (self.registry, self.clock, self.log, self.askPermission) = (registry, clock, log, askPermission)
        (self.beacons, self.trace) = (beacons, trace)
    }

    deinit {
        timer.cancel()
        asking?.cancel()
        for listener in listeners { listener.cancel() }
        NearbyEngine.silence(orders)
        for reader in readers.values { reader.events?.finish() }
        for reader in statusReaders.values { reader.finish() }
    }

    // MARK: Publishing and subscribing

    /// Publishes until the handle is released or the time to live ends.
    ///
    /// - Parameters:
    ///   - onStatus: called with the operation's status whenever it changes.
    ///
    /// Throws: the errors of ``Publication/validate()``; ``NearbyError/engineEnded``.
    public func publish(
        _ publication: Publication, askPermission: PermissionRequest? = nil,
        onStatus: (@Sendable (OperationStatus) -> Void)? = nil
    ) throws(NearbyError) -> PublicationHandle {
        let id = nextID()
        readers[id] = OperationReader(status: onStatus, askPermission: askPermission)
        try begin(.publish(id, publication), id)
        return PublicationHandle(id, of: self)
    }

    /// Publishes a message, like ``publish(_:askPermission:onStatus:)`` without a callback for its status.
    public func publish(
        _ message: Message, strategy: Strategy = .standard
    ) throws(NearbyError) -> PublicationHandle {
        try publish(Publication(message, strategy: strategy))
    }

    /// Subscribes until the events are released or the time to live ends. Throws: the errors of
    /// ``Subscription/validate()``; ``NearbyError/engineEnded``.
    public func subscribe(
        _ subscription: Subscription, askPermission: PermissionRequest? = nil,
        onStatus: (@Sendable (OperationStatus) -> Void)? = nil
    ) throws(NearbyError) -> SubscriptionEvents {
        let id = nextID()
        let (stream, continuation) = AsyncStream.makeStream(of: SubscriptionEvent.self)
        readers[id] = OperationReader(events: continuation, status: onStatus, askPermission: askPermission)
        try begin(.subscribe(id, subscription), id)
        return SubscriptionEvents(stream, handle: OperationHandle(id, of: self))
    }

    /// Subscribes to messages of devices, not of beacons, like ``subscribe(_:askPermission:onStatus:)``.
    public func subscribe(
        to filter: MessageFilter = .everything, strategy: Strategy = .standard
    ) throws(NearbyError) -> SubscriptionEvents {
        try subscribe(Subscription(filter, strategy: strategy))
    }

    private func begin(_ operation: Operation, _ id: OperationID) throws(NearbyError) {
        do {
            let actions = try state.execute([operation], now: step())
            listen()
            perform(actions)
        } catch {
            readers[id] = nil
            throw error
        }
    }

    /// Executes all operations of a batch, or none of them.
    ///
    /// Throws: as ``publish(_:strategy:)`` and ``subscribe(to:strategy:)``;
    /// ``NearbyError/unknownOperation(_:)``, ``NearbyError/twiceInOneBatch(_:)``.
    public func execute(_ batch: Batch) throws(NearbyError) -> Batch.Result {
        // Another engine's operations have the same numbers.
        for handle in batch.ending where !handle.isOf(self) { throw .unknownOperation(handle.id) }
        var result = Batch.Result()
        var operations = batch.ending.map { Operation.unpublish($0.id) }
        for publication in batch.publications {
            let id = nextID()
            readers[id] = OperationReader()
            operations.append(.publish(id, publication))
            result.publications.append(PublicationHandle(id, of: self))
        }
        for subscription in batch.subscriptions {
            let id = nextID()
            let (stream, continuation) = AsyncStream.makeStream(of: SubscriptionEvent.self)
            readers[id] = OperationReader(events: continuation)
            operations.append(.subscribe(id, subscription))
            result.subscriptions.append(SubscriptionEvents(stream, handle: OperationHandle(id, of: self)))
        }
        let actions = try state.execute(operations, now: step())
        for handle in batch.ending { close(handle.id) }
        listen()
        perform(actions)
        return result
    }

    func update(_ id: OperationID, _ message: Message) throws(NearbyError) {
        perform(try state.execute([.republish(id, message)], now: step()))
    }

    /// Ends an operation, unless it has already ended.
    func end(_ id: OperationID) {
        guard readers[id] != nil else { return }
        close(id)
        if let actions = try? state.execute([.unpublish(id)], now: step()) { perform(actions) }
    }

    func close(_ id: OperationID) { readers.removeValue(forKey: id)?.events?.finish() }

    private func nextID() -> OperationID {
        lastNumber += 1
        return OperationID(lastNumber)
    }

    /// Returns the current time. Nothing that was found is lost because this process stood still.
    func step() -> Instant {
        let now = clock.now()
        state.standStill(for: lateTimer.step(at: now))
        return now
    }

    func setAlarm() {
        let deadline = state.nextDeadline
        lateTimer.set(deadline)
        timer.set(deadline, on: clock) { [weak self] in await self?.advance() }
    }

    // MARK: The user and the system

    /// Sets the user's decision, regardless of who asked. Without permission the media fall silent, and
    /// everything that was found is lost. Once it is granted, all operations that are held begin.
    public func setPermission(_ permission: Permission) {
        perform(state.setPermission(permission, now: step()))
    }

    /// Sets whether the app is in the background. There, only operations that allow it continue, by BLE.
    public func setBackground(_ isInBackground: Bool) {
        perform(state.setBackground(isInBackground, now: step()))
    }

    /// Returns the status of the device, now and whenever it changes.
    public func statuses() -> AsyncStream<EngineStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: EngineStatus.self, bufferingPolicy: .bufferingNewest(64))
        lastNumber += 1
        let key = lastNumber
        statusReaders[key] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.stopStatus(key) } }
        if let status = state.currentStatus { continuation.yield(status) }
        return stream
    }

    private func stopStatus(_ key: UInt64) { statusReaders[key] = nil }

    /// Ends every operation, silences the media and notifies the registry. Returns when that is done. It
    /// waits for the registry's answer for at most ``unregistrationPatience``; after that, the registry
    /// notices by itself that the device is gone.
    public func end() async {
        for id in Array(readers.keys) { close(id) }
        asking?.cancel()
        perform(state.end(now: step()))
        let limit = clock.now() + NearbyEngine.unregistrationPatience
        while let last = ending {
            ending = nil
            await BoundedWait(last).wait(until: limit, on: clock)
        }
        timer.cancel()
        for listener in listeners { listener.cancel() }
        NearbyEngine.silence(orders)
        for messenger in messengers { await messenger.value }
    }

    /// Sends each medium its last assignment: idle.
    private static func silence(_ orders: [Medium: AsyncStream<MediumAssignment>.Continuation]) {
        for order in orders.values {
            order.yield(.idle)
            order.finish()
        }
    }
}
