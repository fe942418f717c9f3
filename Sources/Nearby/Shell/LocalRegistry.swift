/// A registry in this process, for one project. Tests, demos and a box that is its own server use it.
public actor LocalRegistry {
    private var state: RegistryState
    private let clock: EngineClock
    private var readers: [RegistryState.DeviceID: AsyncStream<Answer>.Continuation] = [:]
    private var timer = RestartableTimer()
    private var lateTimer = LateTimer()

    /// Creates a registry without devices: each ``device()`` joins with its first report.
    ///
    /// - Parameter random: the source of tokens and of publications' names.
    public init(
        settings: RegistrySettings = RegistrySettings(), clock: EngineClock = .continuous(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        state = RegistryState(settings: settings, random: random)
        self.clock = clock
    }

    deinit { timer.cancel() }

    /// Returns the registry for one device.
    public nonisolated func device() -> some TokenRegistry { LocalDevice(self) }

    /// Adds a device. It is there until it leaves: in one process, no report need show that.
    fileprivate func join() -> RegistryState.DeviceID {
        let id = state.join(now: clock.now())
        _ = state.beginStream(of: id, isDirect: true, now: clock.now())
        return id
    }

    fileprivate func leave(_ id: RegistryState.DeviceID) {
        readers[id] = nil
        state.endStream(of: id, isDead: false, now: step())
        setAlarm()
    }

    fileprivate func report(
        _ report: Report, from id: RegistryState.DeviceID
    ) throws(RegistryError) -> Answer {
        var (answer, events) = try state.report(report, from: id, now: step())
        if !answer.deliveries.isEmpty {
            events.answers[id, default: Answer()].deliveries = answer.deliveries
            answer.deliveries = []
        }
        tell(events)
        return answer
    }

    fileprivate func read(_ id: RegistryState.DeviceID, _ reader: AsyncStream<Answer>.Continuation) {
        readers[id] = reader
    }

    private func tell(_ events: RegistryState.RegistryEvents) {
        for (id, answer) in events.answers { readers[id]?.yield(answer) }
        for id in events.departed { readers[id] = nil }
        setAlarm()
    }

    private func setAlarm() {
        let deadline = state.nextDeadline
        lateTimer.set(deadline)
        timer.set(deadline, on: clock) { [weak self] in await self?.advance() }
    }

    private func advance() { tell(state.advance(to: step())) }

    /// Returns the current time. No device is lost because this process stood still.
    private func step() -> Instant {
        let now = clock.now()
        state.standStill(for: lateTimer.step(at: now), now: now)
        return now
    }
}

/// One device's side of a ``LocalRegistry``.
private actor LocalDevice: TokenRegistry {
    private let registry: LocalRegistry
    private var id: RegistryState.DeviceID?
    private let stream: AsyncStream<Answer>
    private let continuation: AsyncStream<Answer>.Continuation

    init(_ registry: LocalRegistry) {
        self.registry = registry
        (stream, continuation) = AsyncStream.makeStream()
    }

    deinit {
        continuation.finish()
        if let id { Task { [registry] in await registry.leave(id) } }
    }

    nonisolated func events() -> AsyncStream<Answer> { stream }

    func report(_ report: Report) async throws(RegistryError) -> Answer {
        if report.isComplete || id == nil {
            if let former = id { await registry.leave(former) }
            let id = await registry.join()
            await registry.read(id, continuation)
            self.id = id
        }
        return try await registry.report(report, from: id!)
    }
}
