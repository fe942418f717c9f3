/// The beacons that were heard recently; at most ``limit``, whatever is on air.
struct BeaconTable: Sendable {
    struct Heard: Sendable {
        var lastSeen: Instant
        var reading: BeaconReading
        /// True if the beacon was heard more than once.
        var isSteady: Bool
    }

    static let limit = 1024
    private(set) var heard: [AdvertisedID: Heard] = [:]

    /// Records a sighting. Returns true if the beacon is new. There is always room for a new one.
    mutating func note(_ sighting: BeaconSighting, now: Instant) -> Bool {
        let seen = now - sighting.age
        if let known = heard[sighting.id] {
            heard[sighting.id] = Heard(
                lastSeen: max(known.lastSeen, seen), reading: sighting.reading, isSteady: true)
            return false
        }
        if heard.count >= BeaconTable.limit {
            // In a flood of random ids, none comes twice. In a flood that repeats its ids, the one unheard
            // for longest is removed.
            let oldest = heard.min { a, b in
                a.value.isSteady == b.value.isSteady ? a.value.lastSeen < b.value.lastSeen : b.value.isSteady
            }
            if let oldest { heard[oldest.key] = nil }
        }
        heard[sighting.id] = Heard(lastSeen: seen, reading: sighting.reading, isSteady: false)
        return true
    }

    mutating func forget(unheardFor loss: Duration, now: Instant) {
        heard = heard.filter { $0.value.lastSeen + loss > now }
    }

    /// Extends all entries by a time during which nothing could be heard.
    mutating func extend(by duration: Duration) {
        heard = heard.mapValues {
            Heard(lastSeen: $0.lastSeen + duration, reading: $0.reading, isSteady: $0.isSteady)
        }
    }

    mutating func forgetAll() { heard = [:] }
}
