/// The engine's state, without its clock, media and registry: events come in, and actions go out. It is a
/// value type: a copy continues independently.
///
///     operations ─→ StrategySelection ─→ DirectiveTable ─┐
///     grants ─────→ TokenRotation ─────────────────────────┴─→ MediumAssignment ─→ media
///     media ──────→ NeighbourTable ─→ Report ─→ registry ─→ Answer ─→ found, updated, lost
///     beacons ────→ BeaconTable ─→ BeaconQuery ─→ beacon registry ─→ found, updated, lost
///
/// Every method takes the time, which never goes back, and returns the actions that are due. Between calls
/// the owner waits until ``nextDeadline``, and then calls ``advance(to:)``.
public struct EngineState: Sendable {
    let settings: EngineSettings
    /// The source of jitter.
    var random: AnyRandom

    var operations: [OperationID: LiveOperation] = [:]
    /// The operations whose end must be reported to the registry, which may know them.
    var ended: Set<OperationID> = []
    var selection: StrategySelection
    var directives = DirectiveTable()
    var rotation = TokenRotation()
    var neighbours: NeighbourTable
    let takesFrames: Bool
    var heardFrames: HeardTable<SealedFrame>
    /// The frames that the registry wants to be broadcast beside the tokens.
    var sealedFrames = PerMedium<[SealedFrame]>()
    var schedule: ReportSchedule
    var selfCheck = PerMedium<SelfCheck>()
    var paces = PerMedium<Pace>()
    /// The bytes that each subscription was notified of, and the time until which they are not delivered
    /// again.
    var heardBytes: [OperationID: [AudioBytes: Instant]] = [:]
    /// The device's own bytes that may still be in the air, and the time until which they may.
    var sentBytes: [AudioBytes: Instant] = [:]
    /// The media for which a token has been requested from the registry.
    var askedTokens: Set<Medium> = []
    /// The tokens that the registry knows this device to broadcast.
    var knownPlaying: [PlayingToken] = []
    var isOver = false
    var beacons: BeaconState

    /// The assignments that were last requested.
    var assignments = PerMedium<MediumAssignment>()
    var status: EngineStatus?
    /// The operations whose activity may have changed, because they, the permission, the background or the
    /// conditions have changed.
    var stale: Set<OperationID> = []
    var actions: [EngineAction] = []
    /// The time at which the first operation, or find of an operation, ends by itself, or an earlier time.
    var operationDeadline: Instant?
    /// The publications of bytes that sound carries as they are.
    var bytesPublications: [OperationID: AudioBytes] = [:]
    /// The time up to which all due work has been done.
    var settled = Instant.start

    /// - Parameters:
    ///   - takesFrames: true if the registry takes sealed frames (``TokenRegistry/takesFrames``).
    ///   - hasBeaconRegistry: true if there is a registry of beacons. Without one, their ids are delivered as
    ///     they are.
    ///   - random: the source of jitter; tokens come from the registry.
    public init(
        permission: Permission = .undecided, settings: EngineSettings = .standard,
        takesFrames: Bool = false, hasBeaconRegistry: Bool = false,
        random: some RandomNumberGenerator & Sendable
    ) {
        self.settings = settings
        self.takesFrames = takesFrames
        beacons = BeaconState(settings, hasRegistry: hasBeaconRegistry)
        heardFrames = HeardTable(settings)
        self.random = AnyRandom(random)
        selection = StrategySelection(permission: permission)
        neighbours = NeighbourTable(settings)
        schedule = ReportSchedule(settings)
    }

    /// The permission that was set last, or at first the initializer's.
    public var permission: Permission { selection.permission }
    /// The last value given to ``setBackground(_:now:)``; at first, the app is in the foreground.
    public var isInBackground: Bool { selection.isInBackground }
    /// The subscriptions that are live.
    public var subscriptions: [OperationID: Subscription] {
        operations.compactMapValues {
            if case .subscription(let subscription) = $0.kind { subscription } else { nil }
        }
    }

    /// The last status of ``EngineAction/status(_:)``, or `nil` before the first.
    public var currentStatus: EngineStatus? { status }

    /// The time at which ``advance(to:)`` next has something to do, or `nil` if only an event can change
    /// anything.
    public var nextDeadline: Instant? {
        let times: [Instant?] = [
            operationDeadline, rotation.deadline, neighbours.deadline, heardFrames.deadline,
            schedule.deadline(isAlive: isAlive), beacons.deadline,
        ]
        // A deadline that has passed and remains waits for an answer.
        return times.compactMap { $0 }.filter { $0 > settled }.min()
    }

    /// Does what is due at this time: expired operations end, what was not heard for long is lost, tokens
    /// rotate, and a report is sent.
    public mutating func advance(to now: Instant) -> [EngineAction] { settle(now) }

    /// True if there is anything to report to the registry. Before the user agrees, there is nothing.
    var isAlive: Bool {
        if isOver { return schedule.isUrgent }
        return !ended.isEmpty
            || (permission == .granted && operations.values.contains { $0.kind.needsRegistry })
    }

    // MARK: Actions of the user

    /// Executes all operations of a batch, or throws an error and changes nothing.
    public mutating func execute(
        _ batch: [Operation], now: Instant
    ) throws(NearbyError) -> [EngineAction] {
        try validate(batch)
        for operation in batch { apply(operation, now: now) }
        return settle(now)
    }

    /// Sets the user's decision. When the permission is withdrawn, the media fall silent, everything that was
    /// found is lost, and the registry is requested to forget the operations. When it is granted, all waiting
    /// operations begin.
    public mutating func setPermission(_ permission: Permission, now: Instant) -> [EngineAction] {
        // The user's answer may come after the engine has ended.
        guard !isOver else { return [] }
        let wasGranted = selection.permission == .granted
        selection.permission = permission
        stale = Set(operations.keys)
        if permission == .granted { schedule.isUrgent = true } else if wasGranted { withdraw() }
        return settle(now)
    }

    /// Sets whether the app is in the background, where only operations that allow it continue.
    public mutating func setBackground(_ isInBackground: Bool, now: Instant) -> [EngineAction] {
        guard !isOver else { return [] }
        selection.isInBackground = isInBackground
        stale = Set(operations.keys)
        return settle(now)
    }

    /// Ends everything, and unregisters, so that other devices lose this device at once.
    public mutating func end(now: Instant) -> [EngineAction] {
        guard !isOver else { return [] }
        for id in operations.keys { remove(id) }
        (isOver, schedule.isUrgent) = (true, true)
        return settle(now)
    }

    // MARK: Events of media and registry

    /// Takes a driver's event of its medium. Until its first ``MediumEvent/condition(_:)``, a medium counts
    /// as missing.
    public mutating func happened(
        _ event: MediumEvent, on medium: Medium, now: Instant
    ) -> [EngineAction] {
        switch event {
        case .condition(let condition):
            selection.conditions[medium] = condition
            selfCheck[medium] = nil
            stale = Set(operations.keys)
        case .sent:
            selfCheck[medium, default: SelfCheck()].noteSent()
            paces[medium, default: Pace()].noteSent(now)
        case .held: break
        case .sighted(let sighting): note(sighting, now: now)
        case .beacon(let sighting): if medium.traits.contains(.findsBeacons) { note(sighting, now: now) }
        }
        return settle(now)
    }

    /// Takes the registry's answer to the report in flight: the registry knows the report's content, and the
    /// next report may follow. If no report is in flight, this is the same as ``notified(_:now:)``.
    public mutating func answered(_ answer: Answer, now: Instant) -> [EngineAction] {
        accept(answer, now: now)
        return settle(now)
    }

    /// Takes an unsolicited notification of the registry; a report in flight continues to wait for its
    /// answer.
    public mutating func notified(_ events: Answer, now: Instant) -> [EngineAction] {
        take(events, now: now)
        // The registry asks whether this device is there. The report in flight may have come before that.
        if let time = events.keepAlive, time <= Answer.atOnce { schedule.isUrgent = true }
        return settle(now)
    }

    /// Notes that the report in flight failed: the engine reports its content again after a pause, and
    /// everything after ``RegistryError/unknownDevice``. If no report is in flight, nothing changes.
    public mutating func failed(_ error: RegistryError, now: Instant) -> [EngineAction] {
        reject(error, now: now)
        return settle(now)
    }
}

/// The pace at which frames are really sent: a device that waits for others sends more seldom than planned.
struct Pace: Sendable {
    private var lastSent: Instant?
    private var interval = Duration.zero

    mutating func noteSent(_ now: Instant) {
        // Uses the last two intervals: one long wait does not make a slow sender, and one lucky turn does not
        // make a fast one.
        if let lastSent { interval = max(interval / 2, lastSent.duration(to: now)) }
        lastSent = now
    }

    /// Returns the approximate time from one frame to the next, at least the planned one. A wait that is not
    /// over counts for twice the last interval at most: otherwise a device that sends no more would stay near
    /// for longer and longer.
    func period(atLeast planned: Duration, now: Instant) -> Duration {
        let known = max(planned, interval)
        return max(known, min(known * 2, lastSent.map { $0.duration(to: now) } ?? .zero))
    }
}

/// The check whether a device that listens hears its own frames.
struct SelfCheck: Sendable {
    private(set) var unheardFrames = 0

    mutating func noteSent() { unheardFrames += 1 }
    mutating func noteHeard() { unheardFrames = 0 }
}
