import Logging
import Nearby
import NearbyWire

/// The service of one project: a ``ProjectState``, the streams that wait for its events, and the store.
///
///     report ─→ state ─→ changes ─→ store, many in one commit ─→ answer
///                  └──→ events, to the readers of the streams
actor ProjectService {
    let project: Project
    private let settings: ServiceSettings
    let lease: Lease
    var state: ProjectState
    let store: any ServiceStore
    let clock: ServiceClock
    let makeRandom: @Sendable () -> any RandomNumberGenerator & Sendable
    let watch: StallWatch
    let log: Logger
    /// The devices' open streams.
    var streams = OpenStreams()
    private var isOver = false
    private var lastWarning: Instant?

    // These are the changes that the store does not have yet.
    var changed: Set<SecretHash> = []
    var departed: Set<SecretHash> = []
    var waiting: [CheckedContinuation<Void, any Error>] = []
    var isCommitting = false
    var isStoreFailing = false
    var storeStall: StoreStall
    /// The part of all stalls that the state has already allowed for.
    private var knownStall: Duration
    private var renewal: Task<Void, Never>?
    /// The task that calls the readers of the streams when a late lease is renewed.
    var lateEvents: Task<Void, Never>?
    private var alarm: Task<Void, Never>?
    private var alarmTime: Instant?

    init(
        _ project: Project, under lease: Lease, settings: ServiceSettings, store: any ServiceStore,
        clock: ServiceClock, watch: StallWatch, log: Logger,
        makeRandom: @escaping @Sendable () -> any RandomNumberGenerator & Sendable
    ) async throws(StoreError) {
        (self.project, self.lease, self.store, self.clock) = (project, lease, store, clock)
        self.makeRandom = makeRandom
        self.settings = settings
        (self.watch, storeStall) = (watch, StoreStall())
        knownStall = watch.total(at: clock.now)
        var log = log
        log[metadataKey: "project"] = "\(project.id)"
        self.log = log
        state = ProjectState(
            settings: settings.scaled(to: project.deviceQuota), startUnixMillis: clock.startUnixMillis,
            random: makeRandom())
        try await renewTokenKeys()
        for device in try await store.devices(of: project.id) {
            state.restore(device, now: clock.now)
        }
        log.info("serving", metadata: ["name": "\(project.name)", "devices": "\(state.members.count)"])
        setAlarm()
    }

    var size: ServiceSize {
        ServiceSize(
            project: project, devices: state.members.count, deviceQuota: deviceQuota,
            streams: streams.count, counts: state.counts,
            unsentFor: streams.unsentSince.map { clock.now.offset - $0.offset } ?? .zero,
            leaseRemaining: lease.remaining, isLeaseLate: lease.standing != .held,
            isStoreFailing: isStoreFailing)
    }

    // MARK: Requests

    func register(
        _ secret: SecretHash, key: APIKey, label: String?, from client: ClientNetwork
    ) async throws(ServiceRefusal) {
        try await checkLease()
        guard state.devices[secret] == nil else { return }
        try state.register(
            secret, key: key.id, isOfPage: key.web != nil, label: label, from: client, now: step())
        log.debug("registered", metadata: ["key": "\(key.id)", "devices": "\(state.members.count)"])
        setAlarm()
    }

    /// Returns true if there is such a device. The server asks this before it reads any part of a request.
    func knows(_ secret: SecretHash) async throws(ServiceRefusal) -> Bool {
        try await checkLease()
        return state.devices[secret] != nil
    }

    /// Charges the budgets with the bytes of a report before it is read.
    func spend(bytes: Int, of secret: SecretHash, at client: ClientNetwork) throws(ServiceRefusal) {
        try state.spend(bytes: bytes, of: secret, at: client, now: clock.now)
    }

    /// Processes a report. Returns when the store has everything that it changes.
    func report(
        _ report: Report, _ frame: ReportFrame, from secret: SecretHash, at client: ClientNetwork
    ) async throws(ServiceRefusal) -> WireAnswer {
        try await checkLease()
        var (reply, effects) = try state.report(
            report, number: frame.number, mailbox: frame.mailbox, takenNews: frame.takenNews, from: secret,
            at: client, now: step())
        if reply.changesWatch { effects.notified.append(secret) }
        warn(of: reply.suspects)
        setAlarm()
        let isSaved = effects.isStoreConcerned
        follow(effects, andTell: !isSaved)
        if isSaved {
            try await commit()
            tell(effects)
        }
        streams.noteAllSent(to: secret)
        reply.answer.deliveries = reply.mailbox?.pending ?? []
        return WireAnswer(
            reply.answer, to: report.observations, mailbox: reply.mailbox?.name, news: reply.mailbox?.last)
    }

    /// Logs a warning about suspect tokens at most once a minute for the whole project. ``ServiceCounts``
    /// holds the number of all suspect tokens.
    private func warn(of suspects: [Token]) {
        guard let token = suspects.first, lastWarning.map({ $0 + .seconds(60) <= clock.now }) ?? true else {
            return
        }
        lastWarning = clock.now
        log.warning(
            "a token is heard by more devices or in more networks than a room has: is its sound relayed?",
            metadata: [
                "token": "\(token.description.prefix(3))…", "suspects": "\(state.counts.suspectTokens)",
            ])
    }

    /// The longest wait for a renewal. It is shorter than the time for which an instance that passes requests
    /// on waits for an answer.
    private static let patience = Duration.milliseconds(1500)

    /// Checks that this instance holds the lease, because an instance that may not be the only one must not
    /// answer from memory. After a pause of the whole machine the lease is late until the next renewal, which
    /// takes some milliseconds; the function waits for that.
    func checkLease() async throws(ServiceRefusal) {
        var standing = lease.standing
        if standing == .late {
            await waitForRenewal()
            standing = lease.standing
        }
        switch standing {
        case .held: if isOver { throw .unavailable("this instance is ending") }
        case .late: throw .unavailable("it has not renewed this instance's lease")
        case .lost: throw .unavailable("\(StoreError.superseded)")
        }
    }

    /// Waits for the renewal of the lease. All requests that arrive meanwhile share one wait.
    private func waitForRenewal() async {
        let wait =
            renewal
            ?? Task { [lease] in
                let end = ContinuousClock.now + ProjectService.patience
                while lease.standing == .late, ContinuousClock.now < end {
                    guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return }
                }
            }
        renewal = wait
        await wait.value
        if renewal == wait { renewal = nil }
    }

    // MARK: Time

    /// Returns the current time. While this process or its store stood still, no device could be heard, so no
    /// device is lost for that.
    func step() -> Instant {
        let now = clock.now
        let process = watch.total(at: now)
        let all = process + storeStall.total(at: now, stall: process)
        if all > knownStall {
            log.info(
                "stood still", metadata: ["milliseconds": "\((all - knownStall) / .milliseconds(1))"])
            state.standStill(for: all - knownStall, now: now)
            knownStall = all
        }
        return now
    }

    func setAlarm() {
        guard let time = state.nextDeadline, !isOver else { return }
        if let alarmTime, alarmTime <= time { return }
        alarm?.cancel()
        alarmTime = time
        let wait = max(.milliseconds(5), time.offset - clock.now.offset)
        alarm = Task { [weak self] in
            guard (try? await Task.sleep(for: wait)) != nil else { return }
            await self?.advance()
        }
    }

    private func advance() async {
        alarmTime = nil
        let effects = state.advance(to: step())
        follow(effects, andTell: true)
        setAlarm()
        if effects.isStoreConcerned { await commitUnasked() }
    }

    /// Changes the quota of devices. Devices beyond a smaller quota stay; no new one is admitted.
    func setQuota(_ devices: Int?) { state.settings = settings.scaled(to: devices) }

    /// Removes the devices whose key is not in the set, because it was revoked.
    func keep(_ keys: Set<KeyID>) async {
        let effects = state.keep(keys)
        if !effects.departed.isEmpty {
            log.info("devices of revoked keys are gone", metadata: ["devices": "\(effects.departed.count)"])
        }
        follow(effects, andTell: true)
        if effects.isStoreConcerned { await commitUnasked() }
    }

    /// Ends all streams and all answers, because another instance has the project.
    func abandon() {
        lease.lose()
        close()
    }

    /// Ends all streams, and waits until the store has everything.
    func shutDown() async throws(ServiceRefusal) {
        close()
        guard lease.standing != .lost else { return }
        if isCommitting || !changed.isEmpty || !departed.isEmpty { try await commit() }
    }

    private func close() {
        isOver = true
        alarm?.cancel()
        for reader in streams.closeAll() { reader.end() }
    }

    func follow(_ effects: ProjectState.Effects, andTell: Bool) {
        changed.formUnion(effects.changed)
        departed.formUnion(effects.departed)
        changed.subtract(effects.departed)
        for secret in effects.departed { streams.close(secret)?.end() }
        let now = clock.now
        for secret in effects.notified { streams.noteEvents(for: secret, at: now) }
        if !effects.departed.isEmpty {
            log.debug(
                "departed",
                metadata: ["count": "\(effects.departed.count)", "devices": "\(state.members.count)"])
        }
        if andTell { tell(effects) }
    }

    private func tell(_ effects: ProjectState.Effects) {
        var texts = DeliveryTexts()
        for secret in effects.notified {
            if let stream = streams[secret] { tell(secret, stream, sharing: &texts) }
        }
    }
}
