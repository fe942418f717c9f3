/// The proximity of devices, and the matching of their publications and subscriptions, in one project. A
/// value type without a clock or a network.
///
///     device A broadcasts token t ─→ B hears t ─→ B reports t ─→ A and B are near, by audio
///     A publishes m, B subscribes to m's type, each by audio ─→ B finds m
///
/// Proximity is symmetric: it suffices that one of two devices hears the other. But a hearing counts for a
/// publication and a subscription only if the strategy of the device that is heard broadcasts, and that of
/// the device that hears scans, on that medium.
public struct RegistryState: Sendable {
    let settings: RegistrySettings
    var random: AnyRandom
    var devices = DeviceTable<Device>()
    /// The devices to check for having left.
    private var silence = ExpiryQueue<DeviceID>()
    /// The devices of which a publication expires.
    private var ends = ExpiryQueue<DeviceID>()
    /// The devices whose next tokens go out unasked.
    var refills = ExpiryQueue<DeviceID>()
    var tokens = IssuedTokens()
    var sealed: SealedTokens
    var handles: [TokenHandle: DeviceID] = [:]
    var proximity = ProximityTable()
    var unconfirmed = UnconfirmedHearings()
    private var ids = DeviceIDs()

    /// - Parameters:
    ///   - startUnixMillis: the wall time at ``Instant/start``, in milliseconds since 1970. Sealed tokens
    ///     have their times by it.
    ///   - random: the source of tokens and of publications' names.
    public init(
        settings: RegistrySettings = RegistrySettings(), startUnixMillis: Int64 = 0,
        random: some RandomNumberGenerator & Sendable
    ) {
        (self.settings, self.random) = (settings, AnyRandom(random))
        sealed = SealedTokens(startUnixMillis: startUnixMillis)
    }

    /// Adds a device and returns its identity.
    public mutating func join(now: Instant) -> DeviceID {
        let id = ids.draw()
        devices[id] = Device(lastReport: now)
        silence.add(id, at: now + settings.deviceLife)
        return id
    }

    /// The time at which ``advance(to:)`` next has something to do.
    public var nextDeadline: Instant? {
        let earliest = min(
            proximity.deadline ?? .end, tokens.deadline ?? .end, silence.deadline ?? .end,
            ends.deadline ?? .end, unconfirmed.deadline ?? .end, refills.deadline ?? .end)
        return earliest < .end ? earliest : nil
    }

    /// Returns true if the device hears another one, or is heard by one.
    public func isNearAny(_ id: DeviceID) -> Bool { !proximity.partners(of: id).isEmpty }

    /// Removes what has expired.
    public mutating func advance(to now: Instant) -> RegistryEvents {
        var events = RegistryEvents()
        tokens.expire(now: now)
        unconfirmed.expire(now: now)
        for pair in proximity.expire(now: now) { match(pair, &events) }
        while let id = ends.next(at: now) {
            // The queue may still hold the time before a check was postponed or moved forward.
            guard devices[id]?.queuedEnd.map({ $0 <= now }) ?? false else { continue }
            devices[id]?.queuedEnd = nil
            let isChanged = devices[id]!.expire(now: now)
            queueEnd(of: id)
            guard isChanged else { continue }
            for other in proximity.partners(of: id) {
                deliver(from: id, to: other, proximity.hearings(id, other), &events)
            }
        }
        while let id = refills.next(at: now) { refill(id, now: now, &events) }
        while let id = silence.next(at: now) {
            guard let end = devices[id]?.lifeEnd(settings, now: now) else { continue }
            if end > now { silence.add(id, at: end) } else { forget(id, &events) }
        }
        return events
    }

    /// Takes a report.
    ///
    /// - Parameter missLimit: the number of tokens that belong to no device after which a token alone is no
    ///   evidence, and further tokens get no verdict: a device that guesses learns nothing. A device that
    ///   truly hears another stays near it, and finds a new device by that device's next token
    ///   (`UnconfirmedHearings`).
    ///
    /// Throws: `.unknownDevice`.
    public mutating func report(
        _ report: Report, from id: DeviceID, missLimit: Int = .max, now: Instant
    ) throws(RegistryError) -> (Answer, RegistryEvents) {
        // A device that reports too late has left; ``advance(to:)`` notifies the others.
        guard let end = devices[id]?.lifeEnd(settings, now: now), end > now else { throw .unknownDevice }
        var events = advance(to: now)
        devices[id]!.note(report, now: now)
        if report.unregisters {
            forget(id, &events)
            events.answers[id] = nil
            return (Answer(), events)
        }
        let changes = devices[id]!.take(report, now: now, random: &random)
        if !changes.isEmpty { queueEnd(of: id) }
        var answer = Answer()
        answer.deliveries = events.answers.removeValue(forKey: id)?.deliveries ?? []
        notePlaying(report, of: id, now: now)
        grant(report, to: id, now: now, in: &answer)
        planRefill(of: id, now: now)
        let (begun, ended) = judge(report, by: id, missLimit: missLimit, now: now, in: &answer)
        let moved = SortedSet(begun + ended)
        let others = changes.isEmpty ? moved : SortedSet(moved.inOrder + proximity.partners(of: id))
        if others.inOrder.count > 1 {
            events.answers.reserveCapacity(events.answers.count + others.inOrder.count)
        }
        for other in others.inOrder {
            let (hasMoved, hearings) = (moved.contains(other), proximity.hearings(id, other))
            if hasMoved || changes.contains(.publications) { deliver(from: id, to: other, hearings, &events) }
            if hasMoved || changes.contains(.subscriptions) {
                find(from: other, to: id, hearings, &answer.deliveries)
            }
        }
        for other in ended { askWhetherItIsThere(other, heard: id, now: now, &events) }
        return (answer, events)
    }

    mutating func queueEnd(of id: DeviceID) {
        guard let end = devices[id]?.nextEnd, end < devices[id]?.queuedEnd ?? .end else { return }
        devices[id]?.queuedEnd = end
        ends.add(id, at: end)
    }

    // MARK: Matching

    private mutating func forget(_ id: DeviceID, _ events: inout RegistryEvents) {
        let partners = proximity.partners(of: id)
        proximity.remove(id)
        for other in partners { match(Pair(id, other), &events) }
        if let device = devices.removeValue(of: id) {
            if let handle = device.handle { handles[handle] = nil }
            ids.free(id)
        }
        tokens.revoke(id)
        events.departed.append(id)
    }

    /// Removes a device as if it had unregistered, because its user is no longer welcome.
    public mutating func expel(_ id: DeviceID) -> RegistryEvents {
        var events = RegistryEvents()
        forget(id, &events)
        events.answers[id] = nil
        return events
    }

    /// Notifies both devices of what they have found of each other and what they have lost.
    private mutating func match(_ pair: Pair, _ events: inout RegistryEvents) {
        let hearings = proximity.hearings(pair.one, pair.other)
        deliver(from: pair.one, to: pair.other, hearings, &events)
        deliver(from: pair.other, to: pair.one, hearings, &events)
    }

    private mutating func deliver(
        from publisher: DeviceID, to subscriber: DeviceID, _ hearings: [Hearing],
        _ events: inout RegistryEvents
    ) {
        var deliveries: [Answer.Delivery] = []
        find(from: publisher, to: subscriber, hearings, &deliveries)
        guard !deliveries.isEmpty else { return }
        events.answers[subscriber, default: Answer()].deliveries += deliveries
    }

    /// Appends what one device has to be told of another one.
    ///
    /// - Parameter hearings: those between the two.
    private mutating func find(
        from publisher: DeviceID, to subscriber: DeviceID, _ hearings: [Hearing],
        _ deliveries: inout [Answer.Delivery]
    ) {
        guard let offered = devices[publisher]?.publications else { return }
        // In place: a copy of the device would have all its tables copied.
        devices[subscriber]?.find(offered, of: publisher, hearings: hearings, &deliveries)
    }
}
