import Nearby

/// One device of a project without a server: what it publishes goes on air sealed, what it hears is opened. A value: no clock, no
/// wires.
///
///     publications ─→ OwnBulletin ─→ fragments ─→ EpochKeys.seal ─→ Answer.broadcasts ┄ sound ┄ Report.heard
///     Report.heard ─→ EpochKeys.open ─→ OfflineNeighbours ─→ Assembly ─→ signature ─→ RegistryState ─→ found, updated, lost
///
/// Matching is that of the server: a ``RegistryState`` inside has this device, and one for each that was heard, which publishes
/// there what it said on air.
public struct OfflineState: Sendable {
    let settings: OfflineSettings
    let project: OfflineProject
    let trust: OfflineTrust
    var random: AnyRandom
    var ring: KeyRing
    var own: OwnBulletin
    var neighbours: OfflineNeighbours
    /// This device and those heard.
    var registry: RegistryState
    var me: RegistryState.DeviceID?
    /// Sealed frames that were heard and not opened: of another project, or of another time by a clock that is wrong.
    public internal(set) var strangeFrameCount = 0
    /// Media on which it has a token.
    private var media: Set<Medium> = []
    /// What was last given to be broadcast: of which epoch and generation.
    private var given: (epoch: UInt64, generation: UInt16)?
    private var epochEnd = Instant.start
    /// The epoch in which it last published anything: a token of it is over in the next one.
    private var lastPublished: UInt64?
    /// News that nobody was told yet.
    private var untold = Answer()

    /// Frames are sealed for it: no other medium carries them.
    static let medium = Medium.audio
    /// A token may end so long after its epoch: the next one is given before.
    static let grace = Duration.seconds(20)

    /// - Parameters:
    ///   - signer: signs what this device publishes; nil: only projects that trust all members hear it.
    ///   - random: names this device on air; must be cryptographically strong.
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

    /// When ``advance(to:)`` next has something to do.
    public var nextDeadline: Instant? {
        [registry.nextDeadline, given == nil ? nil : epochEnd].compactMap { $0 }.min()
    }

    /// Loses what is too old, and changes tokens and frames with the epoch. Returns what is to be told unasked.
    public mutating func advance(to time: OfflineTime) -> Answer {
        turn(to: time)
        tell(registry.advance(to: time.now), in: &untold)
        var news = takeNews()
        give([], isAskedForAll: false, at: time, in: &news)
        return news
    }

    /// Returns the news that nobody was told yet; also after a report that was refused.
    public mutating func takeNews() -> Answer {
        defer { untold = Answer() }
        return untold
    }

    /// The device stood still: for so long it could hear nobody. Nobody is lost for that.
    public mutating func standStill(for duration: Duration, now: Instant) {
        registry.standStill(for: duration, now: now)
    }

    /// Takes all of a report. All that is found and lost is in `news`.
    ///
    /// Throws: `.refused` when it publishes more than frames carry; `.unknownDevice` after a long silence. ``takeNews()`` has what was
    /// lost meanwhile.
    public mutating func report(
        _ report: Report, at time: OfflineTime
    ) throws(RegistryError) -> (answer: Answer, news: Answer) {
        var answer = Answer()
        turn(to: time)
        tell(registry.advance(to: time.now), in: &untold)
        guard report.isComplete || me.flatMap({ registry.record(of: $0) }) != nil else {
            throw .unknownDevice
        }
        try own.take(report, random: &random)
        var news = takeNews()
        if report.isFarewell { lastPublished = nil }
        give(
            report.wantsTokens, isAskedForAll: report.isComplete || report.isFarewell, at: time, in: &answer)
        if report.isComplete { me = registry.join(now: time.now) }
        guard let me else { throw .unknownDevice }
        var mine = Report()
        mine.subscribed = report.subscribed
        (mine.ended, mine.isComplete, mine.isFarewell) = (report.ended, report.isComplete, report.isFarewell)
        mine.observations = hear(report, at: time, answer: &answer, news: &news)
        let (found, others) = try registry.report(mine, from: me, now: time.now)
        tell(others, in: &news)
        news.deliveries += found.deliveries
        return (answer, news)
    }

    /// Only this device is told of anything: the others inside are not here.
    func tell(_ told: RegistryState.RegistryEvents, in news: inout Answer) {
        if let me, let mine = told[me] { news.deliveries += mine.deliveries }
    }

    private mutating func turn(to time: OfflineTime) {
        let epoch = settings.epoch(at: time)
        if epoch != ring.epoch { neighbours.forget(before: epoch > 0 ? epoch - 1 : 0) }
        if epoch < ring.epoch {
            // Who has heard the later epoch takes this one for a recording, until it comes.
            own.rename(random: &random)
            (given, lastPublished) = (given == nil ? nil : (.max, 0), lastPublished.map { min($0, epoch) })
        }
        ring.turn(to: epoch)
        epochEnd = settings.end(ofEpochAt: time)
    }

    /// Tokens where they are wanted, and all of them and the frames when the epoch or what is published is another. Who publishes
    /// nothing gets no token: it stays silent.
    private mutating func give(
        _ wanted: Set<Medium>, isAskedForAll: Bool, at time: OfflineTime, in answer: inout Answer
    ) {
        // Who subscribes still broadcasts the token that it has until that is over: so long it says that nothing is published.
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
    /// Of the registry inside: tokens there never go on air.
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
