/// Beacons that were heard of late; not more than ``limit``, whatever is on air.
struct BeaconTable: Sendable {
    struct Heard: Sendable {
        var lastSeen: Instant
        var reading: BeaconReading
        /// More than once.
        var isSteady: Bool
    }

    static let limit = 1024
    private(set) var heard: [AdvertisedID: Heard] = [:]

    /// Whether it is a new one. There is always room for it.
    mutating func note(_ sighting: BeaconSighting, now: Instant) -> Bool {
        let seen = now - sighting.age
        if let known = heard[sighting.id] {
            heard[sighting.id] = Heard(
                lastSeen: max(known.lastSeen, seen), reading: sighting.reading, isSteady: true)
            return false
        }
        if heard.count >= BeaconTable.limit {
            // In a flood of ids by chance, none comes twice. In one that repeats its ids, the one unheard for longest goes.
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

    /// For so long nothing could be heard.
    mutating func extend(by duration: Duration) {
        heard = heard.mapValues {
            Heard(lastSeen: $0.lastSeen + duration, reading: $0.reading, isSteady: $0.isSteady)
        }
    }

    mutating func forgetAll() { heard = [:] }
}
