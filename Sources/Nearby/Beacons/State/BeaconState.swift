/// An engine's state about beacons.
struct BeaconState: Sendable {
    /// True if there is a registry that can be asked about beacons.
    let hasRegistry: Bool
    var claims = BeaconClaims()
    var table = BeaconTable()
    var answers: BeaconAnswers
    var querySchedule: BeaconQuerySchedule
    /// The beacons of which there may be events for subscriptions.
    var touched: Set<AdvertisedID> = []
    /// The beacons of which there may also be losses to report, because the registry answered or an answer
    /// expired.
    var answered: Set<AdvertisedID> = []
    /// The subscriptions that look for other beacons than before, or that start or stop looking.
    var changed: Set<OperationID> = []
    /// True if something was found that may be lost in time.
    var hasFinds = false
    private var nextSweep = Instant.start
    private var lastLoss = Duration.zero

    init(_ settings: EngineSettings, hasRegistry: Bool) {
        self.hasRegistry = hasRegistry
        answers = BeaconAnswers(settings)
        querySchedule = BeaconQuerySchedule(settings)
    }

    var deadline: Instant? {
        [table.heard.isEmpty && !hasFinds ? nil : nextSweep, querySchedule.deadline].compactMap { $0 }.min()
    }

    /// Removes expired entries, at most once a second unless `loss` has become shorter. Returns true if it
    /// did so.
    mutating func sweep(unheardFor loss: Duration, now: Instant) -> Bool {
        guard now >= nextSweep || loss < lastLoss, hasFinds || !table.heard.isEmpty else { return false }
        (nextSweep, lastLoss) = (now + .seconds(1), loss)
        table.forget(unheardFor: loss, now: now)
        answered.formUnion(answers.sweep(now: now))
        querySchedule.isPending = hasRegistry && !table.heard.isEmpty
        return true
    }
}

/// Something that a subscription has found of a beacon.
struct BeaconFind: Sendable {
    var discovery: Discovery
    /// The id under which the beacon was heard last.
    var id: AdvertisedID
    var lastSeen: Instant
}
