/// What an engine knows of beacons.
struct BeaconState: Sendable {
    /// Whether there is somebody to ask what they stand for.
    let hasRegistry: Bool
    var claims = BeaconClaims()
    var table = BeaconTable()
    var answers: BeaconAnswers
    var querySchedule: BeaconQuerySchedule
    /// Beacons of which there may be something to tell.
    var touched: Set<AdvertisedID> = []
    /// Of these too, that something is not there any more.
    var answered: Set<AdvertisedID> = []
    /// Subscriptions that look for other beacons than before, or begin or cease to.
    var changed: Set<OperationID> = []
    /// Something that was found is to be lost in time.
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

    /// Lets go what is too old, now and then; whether it was time for it.
    mutating func sweep(unheardFor loss: Duration, now: Instant) -> Bool {
        guard now >= nextSweep || loss < lastLoss, hasFinds || !table.heard.isEmpty else { return false }
        (nextSweep, lastLoss) = (now + .seconds(1), loss)
        table.forget(unheardFor: loss, now: now)
        answered.formUnion(answers.sweep(now: now))
        querySchedule.isPending = hasRegistry && !table.heard.isEmpty
        return true
    }
}

/// What a subscription has found of a beacon.
struct BeaconFind: Sendable {
    var discovery: Discovery
    /// As it was heard last.
    var id: AdvertisedID
    var lastSeen: Instant
}
