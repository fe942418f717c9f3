/// One device hearing another on a medium.
struct Hearing: Sendable, Hashable {
    var listener: RegistryState.DeviceID
    var speaker: RegistryState.DeviceID
    var medium: Medium
}

/// An unordered pair of devices.
struct Pair: Sendable, Hashable {
    let one: RegistryState.DeviceID
    let other: RegistryState.DeviceID

    init(_ a: RegistryState.DeviceID, _ b: RegistryState.DeviceID) {
        (one, other) = a < b ? (a, b) : (b, a)
    }
}

/// The table of which device hears which other one, and until when each hearing counts.
///
/// A listener that names each time all that it hears ends its hearings itself, by leaving them out. Until
/// then such a hearing lasts as long as its listener is present, but not beyond the life of the token that
/// the listener named last:
///
///     t1 named          t2 named                 left out
///     ├─ listener present ─────────────────────────┤
///                t1 ends ┄┄┄┄→ too late: t2 counts
struct ProximityTable: Sendable {
    /// The token by which a listener that names all it hears last named a hearing, and the time after which
    /// that token is no evidence.
    struct Evidence: Sendable {
        var token: Token
        var end: Instant
    }

    private struct Standing: Sendable {
        var end: Instant
        /// `nil` for a hearing that ends by itself, because its listener only names what it heard anew.
        var evidence: Evidence?
    }

    /// A pair's hearings: so few that a look at each costs less than a hash table.
    private struct Entry: Sendable {
        var hearings: [(hearing: Hearing, standing: Standing)] = []
        /// The time of the pair's valid entry in the queue. Later entries are obsolete.
        var queued = Instant.end

        func place(of hearing: Hearing) -> Int? { hearings.firstIndex { $0.hearing == hearing } }

        subscript(hearing: Hearing) -> Standing? { place(of: hearing).map { hearings[$0].standing } }

        /// Records a hearing. Returns true if it is new.
        mutating func hear(_ hearing: Hearing, until end: Instant, _ evidence: Evidence?) -> Bool {
            let place = place(of: hearing)
            var standing = Standing(end: end)
            if let evidence {
                standing = Standing(end: min(end, evidence.end), evidence: evidence)
            } else if let place {
                standing.end = max(hearings[place].standing.end, end)
            }
            if let place {
                hearings[place].standing = standing
            } else {
                hearings.append((hearing, standing))
            }
            return place == nil
        }

        mutating func change(_ body: (Hearing, inout Standing) -> Void) {
            for place in hearings.indices {
                body(hearings[place].hearing, &hearings[place].standing)
            }
        }

        /// Returns the time at which the queue must have the pair; `nil` if it has it for then or earlier.
        mutating func requeue() -> Instant? {
            guard let next = hearings.lazy.map({ $0.standing.end }).min(), next < queued else { return nil }
            queued = next
            return next
        }
    }

    private var entries: [Pair: Entry] = [:]
    private var queue = ExpiryQueue<Pair>()
    private var partners = DeviceTable<SortedSet<RegistryState.DeviceID>>()

    var deadline: Instant? { queue.deadline }

    /// Returns the devices that hear a device or are heard by it, in order.
    func partners(of device: RegistryState.DeviceID) -> [RegistryState.DeviceID] {
        partners[device]?.inOrder ?? []
    }

    func hearings(_ a: RegistryState.DeviceID, _ b: RegistryState.DeviceID) -> [Hearing] {
        entries[Pair(a, b)]?.hearings.map { $0.hearing } ?? []
    }

    /// Returns true if `listener` hears `speaker` on any medium.
    func hears(_ listener: RegistryState.DeviceID, _ speaker: RegistryState.DeviceID) -> Bool {
        entries[Pair(listener, speaker)]?.hearings.contains { $0.hearing.listener == listener } ?? false
    }

    /// Returns true if the listener hears any device.
    func hearsAny(_ listener: RegistryState.DeviceID) -> Bool {
        partners(of: listener).contains { hears(listener, $0) }
    }

    func contains(_ hearing: Hearing) -> Bool {
        entries[Pair(hearing.listener, hearing.speaker)]?.place(of: hearing) != nil
    }

    /// Returns the token that was named last as evidence of a hearing.
    func evidence(of hearing: Hearing) -> Evidence? {
        entries[Pair(hearing.listener, hearing.speaker)]?[hearing]?.evidence
    }

    // MARK: Begin and end

    /// Records a hearing. Returns true if it is new.
    ///
    /// - Parameter evidence: the token of a listener that names all it hears.
    mutating func hear(_ hearing: Hearing, until end: Instant, evidence: Evidence? = nil) -> Bool {
        let pair = Pair(hearing.listener, hearing.speaker)
        let isNew = entries[pair, default: Entry()].hear(hearing, until: end, evidence)
        enqueue(pair)
        guard isNew else { return false }
        ProximityTable.add(pair.other, to: &partners[pair.one])
        ProximityTable.add(pair.one, to: &partners[pair.other])
        return true
    }

    private static func add(
        _ device: RegistryState.DeviceID, to partners: inout SortedSet<RegistryState.DeviceID>?
    ) {
        if partners == nil { partners = SortedSet() }
        partners!.insert(device)
    }

    /// Moves the ends of the hearings that last as long as their listener is present.
    mutating func setPresence(of listener: RegistryState.DeviceID, until end: Instant) {
        change(of: listener) { hearing, standing in
            guard hearing.listener == listener, let evidence = standing.evidence else { return }
            standing.end = min(end, evidence.end)
        }
    }

    /// Notes that a speaker has replaced a token, which is evidence until `end` at most.
    mutating func limit(_ token: Token, of speaker: RegistryState.DeviceID, to end: Instant) {
        change(of: speaker) { hearing, standing in
            guard hearing.speaker == speaker, let evidence = standing.evidence, evidence.token == token
            else { return }
            standing.evidence!.end = min(evidence.end, end)
            standing.end = min(standing.end, end)
        }
    }

    private mutating func change(
        of device: RegistryState.DeviceID, _ body: (Hearing, inout Standing) -> Void
    ) {
        for other in partners(of: device) {
            let pair = Pair(device, other)
            entries[pair]!.change(body)
            enqueue(pair)
        }
    }

    /// Ends the hearings that a listener has left out. Returns the devices that it heard, in order.
    mutating func keep(
        _ named: Set<Hearing>, of listener: RegistryState.DeviceID
    ) -> [RegistryState.DeviceID] {
        var changed: [RegistryState.DeviceID] = []
        for other in partners(of: listener) {
            let pair = Pair(listener, other)
            let before = entries[pair]!.hearings
            func lasts(_ hearing: Hearing) -> Bool { hearing.listener != listener || named.contains(hearing) }
            if before.allSatisfy({ lasts($0.hearing) }) { continue }
            changed.append(other)
            set(before.filter { lasts($0.hearing) }, for: pair)
        }
        return changed
    }

    // MARK: Time

    private mutating func enqueue(_ pair: Pair) {
        if let time = entries[pair]?.requeue() { queue.add(pair, at: time) }
    }

    /// Moves each end by `duration`, and none to a time before `earliest`. The queue keeps the former times:
    /// it checks these pairs too early, and then again.
    mutating func extend(by duration: Duration, atLeastUntil earliest: Instant) {
        for pair in Array(entries.keys) {
            entries[pair]!.change { _, standing in
                standing.end = max(standing.end + duration, earliest)
                if let evidence = standing.evidence {
                    standing.evidence!.end = max(evidence.end + duration, earliest)
                }
            }
        }
    }

    /// Removes the hearings that have ended, and returns the pairs that they belonged to.
    mutating func expire(now: Instant) -> [Pair] {
        var changed: [Pair] = []
        while let pair = queue.next(at: now) {
            guard let entry = entries[pair], entry.queued <= now else { continue }
            let left = entry.hearings.filter { $0.standing.end > now }
            entries[pair]!.queued = .end
            if left.count < entry.hearings.count {
                changed.append(pair)
                set(left, for: pair)
            } else {
                enqueue(pair)
            }
        }
        return changed.ordered { ($0.one, $0.other) < ($1.one, $1.other) }
    }

    mutating func remove(_ device: RegistryState.DeviceID) {
        let others = partners(of: device)
        partners[device] = nil
        for other in others { set([], for: Pair(device, other)) }
    }

    private mutating func set(_ hearings: [(hearing: Hearing, standing: Standing)], for pair: Pair) {
        guard hearings.isEmpty else {
            entries[pair]!.hearings = hearings
            return enqueue(pair)
        }
        entries[pair] = nil
        partners[pair.one]?.remove(pair.other)
        partners[pair.other]?.remove(pair.one)
    }
}
