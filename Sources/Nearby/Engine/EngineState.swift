/// The engine without its clock, media and registry: what happens comes in, what is to be done goes out. A value: a copy
/// made midway goes on by itself.
///
///     operations ─→ StrategySelection ─→ DirectiveTable ─┐
///     grants ─────→ TokenRotation ─────────────────────────┴─→ MediumAssignment ─→ media
///     media ──────→ NeighbourTable ─→ Report ─→ registry ─→ Answer ─→ found, updated, lost
///     beacons ────→ BeaconTable ─→ BeaconQuery ─→ beacon registry ─→ found, updated, lost
///
/// Every method takes the time, which never goes back, and returns what is to be done now. Between calls the owner waits
/// until ``nextDeadline``, and then calls ``advance(to:)``.
public struct EngineState: Sendable {
    let settings: EngineSettings
    /// For jitter only.
    var random: AnyRandom

    var operations: [OperationID: LiveOperation] = [:]
    /// Those the registry may have been told of, and must now be told that they are no more.
    var ended: Set<OperationID> = []
    var selection: StrategySelection
    var directives = DirectiveTable()
    var rotation = TokenRotation()
    var neighbours: NeighbourTable
    let takesFrames: Bool
    var heardFrames: HeardTable<SealedFrame>
    /// What the registry wants to be broadcast beside the tokens.
    var sealedFrames = PerMedium<[SealedFrame]>()
    var schedule: ReportSchedule
    var selfCheck = PerMedium<SelfCheck>()
    var paces = PerMedium<Pace>()
    /// Bytes that a subscription was told of, and until when they are no news.
    var heardBytes: [OperationID: [AudioBytes: Instant]] = [:]
    /// Bytes of its own that may still be in the air, and until when.
    var sentBytes: [AudioBytes: Instant] = [:]
    /// Media that wait for a token that the registry was asked for.
    var askedTokens: Set<Medium> = []
    var isOver = false
    var beacons: BeaconState

    /// What was last said to be done.
    var assignments = PerMedium<MediumAssignment>()
    var status: EngineStatus?
    /// Operations that do something else since they, or permission, background or conditions, have changed.
    var stale: Set<OperationID> = []
    var actions: [EngineAction] = []
    /// When the first of the operations, or of what they have found, ends by itself; or sooner.
    var operationDeadline: Instant?
    /// Publications that go by sound as they are.
    var bytesPublications: [OperationID: AudioBytes] = [:]
    /// When all that was due was done.
    var settled = Instant.start

    /// - Parameters:
    ///   - takesFrames: whether the registry wants to be told of sealed frames (``TokenRegistry/takesFrames``).
    ///   - hasBeaconRegistry: whether beacons are asked about; where they are not, their ids are told as they are.
    ///   - random: what jitter is drawn from; tokens come from the registry.
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

    /// As it was set last; at first, as the initializer was given it.
    public var permission: Permission { selection.permission }
    /// As ``setBackground(_:now:)`` was told last; at first, in the foreground.
    public var isInBackground: Bool { selection.isInBackground }
    /// Those that are live.
    public var subscriptions: [OperationID: Subscription] {
        operations.compactMapValues {
            if case .subscription(let subscription) = $0.kind { subscription } else { nil }
        }
    }

    /// What ``EngineAction/status(_:)`` said last; nil before it has said anything.
    public var currentStatus: EngineStatus? { status }

    /// When ``advance(to:)`` next has something to do; nil when only an event can change anything.
    public var nextDeadline: Instant? {
        let times: [Instant?] = [
            operationDeadline, rotation.deadline, neighbours.deadline, heardFrames.deadline,
            schedule.deadline(isAlive: isAlive), beacons.deadline,
        ]
        // What is due and still there waits for an answer.
        return times.compactMap { $0 }.filter { $0 > settled }.min()
    }

    /// Does what is due by then: what has expired ends, what was not heard for long is lost, tokens change, a
    /// report goes out.
    public mutating func advance(to now: Instant) -> [EngineAction] { settle(now) }

    /// Whether there is anything to tell the registry: nothing is before the user agrees.
    var isAlive: Bool {
        if isOver { return schedule.isUrgent }
        return !ended.isEmpty
            || (permission == .granted && operations.values.contains { $0.kind.needsRegistry })
    }

    // MARK: What the user does

    /// All of it, or nothing and an error.
    public mutating func execute(
        _ batch: [Operation], now: Instant
    ) throws(NearbyError) -> [EngineAction] {
        try validate(batch)
        for operation in batch { apply(operation, now: now) }
        return settle(now)
    }

    /// What the user has decided. When it is withdrawn, media fall silent, what was found is lost, and the
    /// registry is told to forget; when it is granted, all that waits begins.
    public mutating func setPermission(_ permission: Permission, now: Instant) -> [EngineAction] {
        // Whoever was asked may answer when all has ended.
        guard !isOver else { return [] }
        let wasGranted = selection.permission == .granted
        selection.permission = permission
        stale = Set(operations.keys)
        if permission == .granted { schedule.isUrgent = true } else if wasGranted { withdraw() }
        return settle(now)
    }

    /// Whether the app is in the background, where only operations that allow it go on.
    public mutating func setBackground(_ isInBackground: Bool, now: Instant) -> [EngineAction] {
        guard !isOver else { return [] }
        selection.isInBackground = isInBackground
        stale = Set(operations.keys)
        return settle(now)
    }

    /// Ends everything, with a farewell to the registry: nobody has to wait for this device to be lost.
    public mutating func end(now: Instant) -> [EngineAction] {
        guard !isOver else { return [] }
        for id in operations.keys { remove(id) }
        (isOver, schedule.isUrgent) = (true, true)
        return settle(now)
    }

    // MARK: What media and registry tell

    /// What a driver tells of its medium; until its first ``MediumEvent/condition(_:)``, a medium counts as
    /// missing.
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
        case .beacon(let sighting): if medium == .ble { note(sighting, now: now) }
        }
        return settle(now)
    }

    /// The registry's answer to the report on its way: the registry knows what that said, and the next one
    /// may follow. Without one on its way, the same as ``told(_:now:)``.
    public mutating func answered(_ answer: Answer, now: Instant) -> [EngineAction] {
        accept(answer, now: now)
        return settle(now)
    }

    /// What the registry tells unasked; the report on its way goes on waiting for its answer.
    public mutating func told(_ news: Answer, now: Instant) -> [EngineAction] {
        take(news, now: now)
        return settle(now)
    }

    /// The report on its way was not taken: what it said is said again after a pause; everything is, after
    /// ``RegistryError/unknownDevice``. Without one on its way, nothing.
    public mutating func failed(_ error: RegistryError, now: Instant) -> [EngineAction] {
        reject(error, now: now)
        return settle(now)
    }
}

/// How often frames are really sent: who waits for others sends more seldom than it would.
struct Pace: Sendable {
    private var lastSent: Instant?
    private var interval = Duration.zero

    mutating func noteSent(_ now: Instant) {
        // The last two: one long wait does not make a slow sender, one lucky turn no fast one.
        if let lastSent { interval = max(interval / 2, lastSent.duration(to: now)) }
        lastSent = now
    }

    /// From one frame to the next, about; at least as planned.
    func period(atLeast planned: Duration, now: Instant) -> Duration {
        max(planned, interval, lastSent.map { $0.duration(to: now) } ?? .zero)
    }
}

/// Whether a device that listens hears its own frames.
struct SelfCheck: Sendable {
    private(set) var unheardFrames = 0

    mutating func noteSent() { unheardFrames += 1 }
    mutating func noteHeard() { unheardFrames = 0 }
}
