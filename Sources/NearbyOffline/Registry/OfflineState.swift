import Nearby

/// One device of a project without a server: it seals what it publishes for sending, and opens what it hears.
/// A value type without a clock or a network.
///
///     publications ─→ OwnBulletin ─→ fragments ─→ EpochKeys.seal ─→ Answer.broadcasts ┄ sound ┄ Report.heard
///     Report.heard ─→ EpochKeys.open ─→ OfflineNeighbours ─→ Assembly ─→ signature
///                      ─→ RegistryState ─→ found, updated, lost
///
/// Matching is that of the server: an inner ``RegistryState`` contains this device and one for each device
/// that was heard, which publishes there what it published on air.
public struct OfflineState: Sendable {
    let settings: OfflineSettings
    let project: OfflineProject
    let trust: OfflineTrust
    var random: AnyRandom
    var ring: KeyRing
    var own: OwnBulletin
    var neighbours: OfflineNeighbours
    /// The inner registry with this device and the devices that were heard.
    var registry: RegistryState
    var me: RegistryState.DeviceID?
    /// The number of sealed frames that were heard and not opened: they belong to another project, or to
    /// another time because a clock is wrong.
    public internal(set) var strangeFrameCount = 0
    /// The media on which the device has a token.
    private var media: Set<Medium> = []
    /// The epoch and generation of the frames that were last given to be broadcast.
    private var given: (epoch: UInt64, generation: UInt16)?
    private var epochEnd = Instant.start
    /// The last epoch in which the device published anything: a token of that epoch expires in the next one.
    private var lastPublished: UInt64?
    /// The deliveries that were not yet returned to the caller.
    private var unsent = Answer()

    /// The medium for which frames are sealed: no other medium carries them.
    static let medium = Medium.audio
    /// The time after its epoch at which a token ends. The device gets the next token before that.
    static let grace = Duration.seconds(20)

    /// - Parameters:
    ///   - signer: the key that signs this device's publications. If it is `nil`, only devices that trust all
    ///     members find them.
    ///   - random: the source of this device's id on air, which must be cryptographically strong.
    public init(
        _ project: OfflineProject, signer: PublisherKey? = nil, trust: OfflineTrust = .members,
        settings: OfflineSettings = OfflineSettings(), random: some RandomNumberGenerator & Sendable
    ) {
        (self.project, self.trust, self.settings) = (project, trust, settings)
        self.random = AnyRandom(random)
        ring = KeyRing(project, epoch: 0)
        own = OwnBulletin(project, key: signer, sender: self.random.next())
        neighbours = OfflineNeighbours(settings, isSigned: trust != .members)
        registry = RegistryState(settings: settings.inside, random: self.random)
    }

    /// The time at which ``advance(to:)`` next has something to do.
    public var nextDeadline: Instant? {
        [registry.nextDeadline, given == nil ? nil : epochEnd].compactMap { $0 }.min()
    }

    /// Removes what has expired, and changes tokens and frames with the epoch. Returns the unsolicited
    /// notification.
    public mutating func advance(to time: OfflineTime) -> Answer {
        turn(to: time)
        tell(registry.advance(to: time.now), in: &unsent)
        var events = takeEvents()
        give([], isAskedForAll: false, at: time, in: &events)
        return events
    }

    /// Returns the deliveries that were not yet returned, also after a report that was refused.
    public mutating func takeEvents() -> Answer {
        defer { unsent = Answer() }
        return unsent
    }

    /// Notes that the device stood still, and could hear nobody for this time. No device is lost for that.
    public mutating func standStill(for duration: Duration, now: Instant) {
        registry.standStill(for: duration, now: now)
    }

    /// Takes a report as a whole. Everything that is found and lost is in `events`.
    ///
    /// Throws: `.refused` if its publications exceed the capacity of frames; `.unknownDevice` after a long
    /// silence. ``takeEvents()`` then returns what was lost meanwhile.
    public mutating func report(
        _ report: Report, at time: OfflineTime
    ) throws(RegistryError) -> (answer: Answer, events: Answer) {
        var answer = Answer()
        turn(to: time)
        tell(registry.advance(to: time.now), in: &unsent)
        guard report.isComplete || me.flatMap({ registry.record(of: $0) }) != nil else {
            throw .unknownDevice
        }
        try own.take(report, random: &random)
        var events = takeEvents()
        if report.unregisters { lastPublished = nil }
        give(
            report.wantsTokens, isAskedForAll: report.isComplete || report.unregisters, at: time, in: &answer)
        if report.isComplete { me = registry.join(now: time.now) }
        guard let me else { throw .unknownDevice }
        var mine = Report()
        mine.subscribed = report.subscribed
        (mine.ended, mine.isComplete, mine.unregisters) = (
            report.ended, report.isComplete, report.unregisters
        )
        mine.observations = hear(report, at: time, answer: &answer, events: &events)
        let (found, others) = try registry.report(mine, from: me, now: time.now)
        tell(others, in: &events)
        events.deliveries += found.deliveries
        return (answer, events)
    }

    /// Adds this device's deliveries to `events`: the other devices of the inner registry need no
    /// notifications.
    func tell(_ found: RegistryState.RegistryEvents, in events: inout Answer) {
        if let me, let mine = found[me] { events.deliveries += mine.deliveries }
    }

    private mutating func turn(to time: OfflineTime) {
        let epoch = settings.epoch(at: time)
        if epoch != ring.epoch { neighbours.forget(before: epoch > 0 ? epoch - 1 : 0) }
        if epoch < ring.epoch {
            // Devices that have heard the later epoch take this one for a recording, until that epoch comes.
            own.rename(random: &random)
            (given, lastPublished) = (given == nil ? nil : (.max, 0), lastPublished.map { min($0, epoch) })
        }
        ring.turn(to: epoch)
        epochEnd = settings.end(ofEpochAt: time)
    }

    /// Grants tokens where they are wanted. When the epoch or the publications have changed, it renews all
    /// tokens and frames. A device that publishes nothing gets no token, and stays silent.
    private mutating func give(
        _ wanted: Set<Medium>, isAskedForAll: Bool, at time: OfflineTime, in answer: inout Answer
    ) {
        // A device that has stopped publishing still broadcasts its token until that ends, and meanwhile its
        // frames say that nothing is published.
        guard !own.isEmpty || lastPublished.map({ ring.epoch <= $0 + 1 }) ?? false else {
            if given != nil || isAskedForAll { answer.broadcasts = [:] }
            (media, given, lastPublished) = ([], nil, nil)
            return
        }
        if !own.isEmpty { lastPublished = ring.epoch }
        let isOtherEpoch = given.map { $0.epoch != ring.epoch } ?? true
        media.formUnion(wanted)
        for medium in (isOtherEpoch ? media : wanted).ordered() where !own.isEmpty {
            let token = ring.current.token(of: own.sender, on: medium)
            let life = time.now.duration(to: epochEnd) + OfflineState.grace
            answer.grants.append(.init(token, on: medium, timeToLive: life))
        }
        guard isOtherEpoch || isAskedForAll || given?.generation != own.generation else { return }
        given = (ring.epoch, own.generation)
        answer.broadcasts = [OfflineState.medium: own.frames(ring.current, on: OfflineState.medium)]
    }
}

extension OfflineSettings {
    /// The settings of the inner registry, whose tokens never go on air.
    var inside: RegistrySettings {
        var inside = RegistrySettings()
        inside.tokenLife = .seconds(Int64(100 * 365) * 86_400)
        (inside.shortestLoss, inside.longestLoss, inside.missedFrames) = (
            shortestLoss, longestLoss, missedGaps
        )
        inside.deviceLife = longestLoss + .seconds(30)
        return inside
    }
}
