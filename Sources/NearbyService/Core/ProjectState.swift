import Nearby
import NearbyWire

/// The state of one project: its devices, their reports, and the events for them. This is a value without
/// clock, network or store.
///
///     secret ─→ DeviceID ─→ Member, RegistryState ─→ answers, and events into mailboxes
package struct ProjectState: Sendable {
    /// The consequences of a step.
    package struct Effects: Sendable {
        /// The devices whose mailboxes have something new. One may be there twice, or have departed since.
        package var notified: [SecretHash] = []
        /// The devices whose changes the store must write.
        var changed: Set<SecretHash> = []
        var departed: Set<SecretHash> = []

        var isStoreConcerned: Bool { !changed.isEmpty || !departed.isEmpty }
    }

    package struct Reply: Sendable {
        package var answer: Answer
        /// The device's mailbox; `nil` after it unregistered.
        package var mailbox: Mailbox?
        /// The tokens that somebody may be relaying to another place. Each token is reported once.
        var suspects: [Token] = []
        /// True if the device now hears another one and did not before, or the other way round: its stream
        /// then watches the connection more, or less, closely.
        var changesWatch = false
    }

    /// The limits of this project. A change counts from the next report on.
    var settings: ServiceSettings
    package var registry: RegistryState
    private var random: any RandomNumberGenerator & Sendable
    var members = DeviceTable<Member>()
    /// The devices by their secrets.
    private(set) var devices: [SecretHash: RegistryState.DeviceID] = [:]
    /// The number of devices that registered with each API key.
    private var deviceCounts: [KeyID: Int] = [:]
    var reports = FairBudget()
    var bytes = FairBudget()
    var misses = FairBudget()
    private var registrations = FairBudget()
    private var registrationTurns = FairReturnTurns()
    /// The registration budget of each web key.
    private var webRegistrations: [KeyID: FairBudget] = [:]
    /// The quota of devices.
    private var places = FairQuota()
    /// The quota of bytes that devices publish and subscribe to.
    private var room = FairQuota()
    private var relays = RelayWatch()
    private var filters = SharedFilters()
    var counts = ServiceCounts()

    /// - Parameter startUnixMillis: the wall time at `Instant.start`, in milliseconds since 1970. It stays as
    ///   it was, even if the wall clock is set: the times of tokens follow from it.
    package init(
        settings: ServiceSettings, startUnixMillis: Int64, random: any RandomNumberGenerator & Sendable
    ) {
        (self.settings, self.random) = (settings, random)
        registry = RegistryState(
            settings: settings.registry, startUnixMillis: startUnixMillis, random: random)
    }

    package var nextDeadline: Instant? { registry.nextDeadline }

    // MARK: Devices

    /// - Parameters:
    ///   - isOfPage: true if the key is a web key.
    ///   - label: the name by which the device's owner looks for it.
    ///
    /// Throws: `.tooMuch`.
    package mutating func register(
        _ secret: SecretHash, key: KeyID, isOfPage: Bool = false, label: String? = nil,
        from client: ClientNetwork, now: Instant
    ) throws(ServiceRefusal) {
        if isOfPage,
            let wait = webRegistrations[key, default: FairBudget()]
                .wait(for: 1, client, settings.registrationsPerWebKey, now: now)
        {
            throw .tooMuch(
                .registrationsOfWebKey,
                retryAfter: registrationTurns.take(
                    after: wait, client, settings.registrationsPerWebKey, now: now))
        }
        if let wait = registrations.wait(for: 1, client, settings.registrationsPerProject, now: now) {
            throw .tooMuch(
                .registrationsOfProject,
                retryAfter: registrationTurns.take(
                    after: wait, client, settings.registrationsPerProject, now: now))
        }
        guard members.count < settings.devicesPerProject else {
            throw .tooMuch(.devicesOfProject, retryAfter: .seconds(30))
        }
        guard places.room(for: client, limit: settings.devicesPerProject) > 0 else {
            throw .tooMuch(.devicesOfNetwork, retryAfter: .seconds(30))
        }
        registrations.spend(1, client, settings.registrationsPerProject, now: now)
        if isOfPage {
            webRegistrations[key, default: FairBudget()]
                .spend(1, client, settings.registrationsPerWebKey, now: now)
        }
        admit(secret, registry.join(now: now), key, label, from: client, now: now)
        counts.registrations += 1
    }

    /// Restores a device that was known before this service began.
    mutating func restore(_ stored: StoredDevice, now: Instant) {
        var record = stored.record
        filters.share(&record.subscribed)
        let device = registry.restore(record, now: now)
        admit(stored.secret, device, stored.key, stored.label, from: nil, now: now)
        members[device]!.isRestored = true
        counts.restoredDevices += 1
        let byteCount = DeviceOperations(stored.record).byteCount
        members[device]!.byteCount = byteCount
        room.take(byteCount, for: nil)
    }

    private mutating func admit(
        _ secret: SecretHash, _ device: RegistryState.DeviceID, _ key: KeyID, _ label: String?,
        from client: ClientNetwork?, now: Instant
    ) {
        members[device] = Member(
            secret: secret, key: key, label: label, mailbox: Mailbox(random: &random), network: client,
            guesses: GuessRecord(since: now))
        devices[secret] = device
        deviceCounts[key, default: 0] += 1
        places.take(1, for: client)
    }

    /// Removes the devices whose key is not in the set.
    mutating func keep(_ keys: Set<KeyID>) -> Effects {
        var effects = Effects()
        webRegistrations = webRegistrations.filter { keys.contains($0.key) }
        guard deviceCounts.contains(where: { $0.value > 0 && !keys.contains($0.key) }) else { return effects }
        for device in members.ids where !keys.contains(members[device]!.key) {
            post(registry.expel(device), &effects) { _ in .revoked }
        }
        return effects
    }

    // MARK: Reports

    /// Processes a report. Each part of it stands for itself: a token that is not judged, or a publication
    /// for which there is no room, does not affect the rest.
    ///
    /// - Parameter number: the number of the report. The same number may come twice; a lower one is refused,
    ///   because the report is out of date. `nil` if the device does not number its reports.
    // Inlined, its variables would take memory of the caller's task.
    @inline(never)
    package mutating func report(
        _ report: Report, number: Int64? = nil, mailbox: String?, takenNews: Int64?, from secret: SecretHash,
        at client: ClientNetwork, now: Instant
    ) throws(ServiceRefusal) -> (Reply, Effects) {
        guard let device = devices[secret] else { throw .unknown }
        if let number, let last = members[device]!.number, number < last { throw .incomplete }
        try spend(report, device, client, now)
        try settleMailbox(of: device, mailbox, takenNews, isComplete: report.isComplete || report.unregisters)

        var report = report
        let refused = takeOperations(of: &report, from: device)
        limitWishes(of: &report, from: device, now: now)
        var effects = Effects()
        let hadHandle = registry.handle(of: device) != nil
        let heardAny = registry.hearsAny(device)
        var answer: Answer
        let events: RegistryState.RegistryEvents
        do throws(RegistryError) {
            (answer, events) = try registry.report(
                report, from: device, missLimit: missLimit(of: device, client, now), now: now)
        } catch {
            throw .unknown
        }
        counts.note(report, answer)
        spendWishes(answer, of: device, now: now)
        note(answer, device, client, now)
        members[device]!.lastReport = now
        members[device]!.mailbox.add(answer.deliveries)
        answer.deliveries = []
        answer.refused = refused
        // A token is not worth a row: a sealed one outlives a restart by its handle, another is replaced.
        let hasNewHandle = !hadHandle && registry.handle(of: device) != nil
        if report.changesRecord || hasNewHandle { effects.changed.insert(secret) }
        if let number { members[device]!.number = number }
        post(events, &effects) { $0 == device && report.unregisters ? .unregistration : .silence }
        let suspects = suspects(in: answer, to: secret, at: client, now: now)
        counts.suspectTokens += suspects.count
        let reply = Reply(
            answer: answer, mailbox: members[device]?.mailbox, suspects: suspects,
            changesWatch: registry.hearsAny(device) != heardAny)
        return (reply, effects)
    }

    /// Notes which tokens a device hears, and returns those that somebody may be relaying.
    private mutating func suspects(
        in answer: Answer, to secret: SecretHash, at client: ClientNetwork, now: Instant
    ) -> [Token] {
        var suspects: [Token] = []
        for (heard, verdict) in answer.verdicts where verdict == .valid {
            let isSuspect = relays.note(
                heard.token, by: secret, at: client, settings: settings, now: now)
            if isSuspect { suspects.append(heard.token) }
        }
        return suspects
    }

    /// Notes that this process or its store stood still, so that no device could be heard for that time.
    mutating func standStill(for duration: Duration, now: Instant) {
        registry.standStill(for: duration, now: now)
    }

    package mutating func advance(to now: Instant) -> Effects {
        var effects = Effects()
        post(registry.advance(to: now), &effects)
        return effects
    }

    /// Removes operations for which there is no room from the report, and returns them with the reasons.
    private mutating func takeOperations(
        of report: inout Report, from device: RegistryState.DeviceID
    ) -> [OperationID: String] {
        guard report.changesRecord, let member = members[device], let record = registry.record(of: device)
        else { return [:] }
        filters.share(&report.subscribed)
        var operations = DeviceOperations(record)
        let bounds = DeviceOperations.Bounds(
            count: settings.operationsPerDevice, contentBytes: settings.contentBytesPerDevice,
            bytes: member.byteCount + room.room(for: member.network, limit: settings.bytesKeptPerProject))
        let refused = operations.take(&report, within: bounds)
        room.take(operations.byteCount - member.byteCount, for: member.network)
        members[device]!.byteCount = operations.byteCount
        return refused
    }

    private mutating func settleMailbox(
        of device: RegistryState.DeviceID, _ name: String?, _ taken: Int64?, isComplete: Bool
    ) throws(ServiceRefusal) {
        if members[device]!.mailbox.name == name {
            if let taken { members[device]!.mailbox.take(upTo: taken) }
            return
        }
        let isFresh = name == nil && members[device]!.mailbox.last == 0 && !members[device]!.isRestored
        guard isFresh || isComplete else { throw .incomplete }
        if !isFresh { members[device]!.mailbox = Mailbox(random: &random) }
        members[device]!.isRestored = false
    }

    /// Puts events into mailboxes. A device that leaves too many events unfetched gets a new mailbox and
    /// must send a complete report.
    ///
    /// - Parameter cause: returns the reason why a device is gone.
    mutating func post(
        _ events: RegistryState.RegistryEvents, _ effects: inout Effects,
        cause: (RegistryState.DeviceID) -> DepartureCause = { _ in .silence }
    ) {
        // One more: the device that reports.
        effects.notified.reserveCapacity(effects.notified.count + events.answers.count + 1)
        for (device, answer) in events.answers {
            guard let secret = members[device]?.secret else { continue }
            let count = members[device]!.post(answer)
            counts.grants += answer.grants.count
            counts.note(answer.deliveries)
            if count > settings.eventsPerDevice {
                members[device]!.mailbox = Mailbox(random: &random)
                members[device]!.isRestored = true
            }
            effects.notified.append(secret)
        }
        for device in events.departed {
            guard let member = members.removeValue(of: device) else { continue }
            counts.departures[cause(device), default: 0] += 1
            devices[member.secret] = nil
            places.take(-1, for: member.network)
            deviceCounts[member.key]! -= 1
            room.take(-member.byteCount, for: member.network)
            effects.departed.insert(member.secret)
            effects.changed.remove(member.secret)
        }
    }
}
