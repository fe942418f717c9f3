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
        (one, other) = a.number < b.number ? (a, b) : (b, a)
    }
}

/// The table of which device hears which other one, and until when each hearing counts.
struct ProximityTable: Sendable {
    private var ends: [Pair: [Hearing: Instant]] = [:]
    private var queue = ExpiryQueue<Pair>()
    private var partners: [RegistryState.DeviceID: Set<RegistryState.DeviceID>] = [:]

    var deadline: Instant? { queue.deadline }

    func partners(of device: RegistryState.DeviceID) -> Set<RegistryState.DeviceID> {
        partners[device] ?? []
    }

    func hearings(_ a: RegistryState.DeviceID, _ b: RegistryState.DeviceID) -> [Hearing] {
        ends[Pair(a, b)].map { Array($0.keys) } ?? []
    }

    /// Returns true if `listener` hears `speaker` on any medium.
    func hears(_ listener: RegistryState.DeviceID, _ speaker: RegistryState.DeviceID) -> Bool {
        ends[Pair(listener, speaker)]?.keys.contains { $0.listener == listener } ?? false
    }

    /// Records a hearing. Returns true if it is new.
    mutating func hear(_ hearing: Hearing, until end: Instant) -> Bool {
        let pair = Pair(hearing.listener, hearing.speaker)
        if ends[pair] == nil { queue.add(pair, at: end) }
        let before = ends[pair]?[hearing]
        ends[pair, default: [:]][hearing] = max(before ?? end, end)
        partners[pair.one, default: []].insert(pair.other)
        partners[pair.other, default: []].insert(pair.one)
        return before == nil
    }

    /// Moves each end by `duration`, and none to a time before `earliest`. The queue keeps the former times:
    /// it checks these pairs too early, and then again.
    mutating func extend(by duration: Duration, atLeastUntil earliest: Instant) {
        ends = ends.mapValues { hearings in hearings.mapValues { max($0 + duration, earliest) } }
    }

    /// Removes the hearings that have ended, and returns the pairs that they belonged to.
    mutating func expire(now: Instant) -> [Pair] {
        var changed: [Pair] = []
        while let pair = queue.next(at: now) {
            guard let hearings = ends[pair] else { continue }
            let left = hearings.filter { $0.value > now }
            if let next = left.values.min() { queue.add(pair, at: next) }
            guard left.count < hearings.count else { continue }
            changed.append(pair)
            set(left, for: pair)
        }
        return changed.ordered { ($0.one, $0.other) < ($1.one, $1.other) }
    }

    mutating func remove(_ device: RegistryState.DeviceID) {
        for other in partners(of: device) { set([:], for: Pair(device, other)) }
        partners[device] = nil
    }

    private mutating func set(_ hearings: [Hearing: Instant], for pair: Pair) {
        ends[pair] = hearings.isEmpty ? nil : hearings
        guard hearings.isEmpty else { return }
        partners[pair.one]?.remove(pair.other)
        partners[pair.other]?.remove(pair.one)
    }
}
