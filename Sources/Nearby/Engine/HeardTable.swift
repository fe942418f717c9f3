/// What of others was heard, and what of it the registry knows.
struct HeardTable<Key: Hashable & Sendable>: Sendable {
    struct Heard: Sendable {
        var medium: Medium
        var lastSeen: Instant
        var signal: Sighting.Signal
        /// ``lastSeen`` as the registry knows it.
        var reported: Instant?
    }

    private let settings: EngineSettings
    private let limit: Int
    private var heard: [Key: Heard] = [:]
    private var nextSweep = Instant.start

    /// - Parameter limit: so many at most are known at a time.
    init(_ settings: EngineSettings, limit: Int) { (self.settings, self.limit) = (settings, limit) }

    /// Whether it is one that the registry should be told of at once: new, or back after it may have been lost.
    mutating func note(_ key: Key, _ sighting: Sighting, now: Instant) -> Bool {
        let seen = now - sighting.age
        let known = heard[key]
        // What belongs to one medium is on the other an echo of somebody's making; the registry judges by the first.
        guard known.map({ $0.medium == sighting.medium }) ?? (heard.count < limit) else { return false }
        heard[key] = Heard(
            medium: sighting.medium, lastSeen: max(known?.lastSeen ?? seen, seen), signal: sighting.signal,
            reported: known?.reported)
        return known.map { $0.lastSeen + settings.absence < seen } ?? true
    }

    /// What was heard since it was last reported, and how long ago.
    func unreported(now: Instant) -> [(key: Key, heard: Heard, age: Duration)] {
        heard.compactMap { key, one in
            let age = one.lastSeen.duration(to: now)
            guard one.reported.map({ $0 < one.lastSeen }) ?? true, age <= settings.oldestObservation else {
                return nil
            }
            return (key, one, age)
        }
    }

    /// That has arrived, as it was heard at a time.
    mutating func confirm(_ key: Key, heardAt time: Instant) { heard[key]?.reported = time }

    /// The registry has forgotten all.
    mutating func forgetReports() {
        for key in heard.keys { heard[key]?.reported = nil }
    }

    /// Whether it was known.
    mutating func remove(_ key: Key) -> Bool { heard.removeValue(forKey: key) != nil }

    func count(on medium: Medium) -> Int { heard.values.count { $0.medium == medium } }

    var deadline: Instant? { heard.isEmpty ? nil : nextSweep }

    /// Lets go what is too old, now and then.
    mutating func sweep(now: Instant) {
        guard now >= nextSweep, !heard.isEmpty else { return }
        nextSweep = now + .seconds(1)
        heard = heard.filter { $0.value.lastSeen + settings.neighbourhood > now }
    }
}

// MARK: Sealed frames

/// Nobody says which of them are worth anything. Sound carries not one in a second, but a flood may come otherwise.
extension HeardTable<SealedFrame> {
    init(_ settings: EngineSettings) { self.init(settings, limit: 256) }

    /// The longest ago first.
    func observations(now: Instant) -> [FrameObservation] {
        unreported(now: now).map {
            FrameObservation($0.key, on: $0.heard.medium, age: $0.age, signal: $0.heard.signal)
        }.sorted {
            $0.age == $1.age
                ? $0.frame.bytes.lexicographicallyPrecedes($1.frame.bytes) : $0.age > $1.age
        }
    }

    /// These have arrived.
    mutating func confirm(_ observations: [FrameObservation], reportedAt: Instant) {
        for one in observations { confirm(one.frame, heardAt: reportedAt - one.age) }
    }
}
