/// The frames of others that were heard, medium by medium, and which hearings the registry knows.
struct HeardTable<Key: Hashable & Sendable>: Sendable {
    struct Heard: Sendable {
        var lastSeen: Instant
        var signal: Sighting.Signal
        /// The value of ``lastSeen`` that the registry knows, or `nil` if it knows none.
        var reported: Instant?
        /// True if the frame was heard more than once.
        var isRepeated = false
        /// True if the registry has judged that the frame belongs to a device.
        var isValid = false
        /// The frame's number in the order of first hearings: the higher, the newer.
        let number: UInt64
    }

    private let settings: EngineSettings
    private let limit: Int
    private var heard = PerMedium<[Key: Heard]>()
    private var count: UInt64 = 0
    private var nextSweep = Instant.start

    /// - Parameter limit: the number of frames of one medium that are kept at a time.
    init(_ settings: EngineSettings, limit: Int) { (self.settings, self.limit) = (settings, limit) }

    /// Records a hearing. Returns true if it should be reported at once, because the frame is new, or is back
    /// after it may have been lost.
    ///
    /// There is always room for a new frame: in a flood, the least likely ones are removed.
    mutating func note(_ key: Key, _ sighting: Sighting, now: Instant) -> Bool {
        let seen = now - sighting.age
        guard var known = heard[sighting.medium]?[key] else {
            if self.count(on: sighting.medium) >= limit { forgetLeastLikely(on: sighting.medium) }
            count += 1
            heard[sighting.medium, default: [:]][key] = Heard(
                lastSeen: seen, signal: sighting.signal, number: count)
            return true
        }
        let isBack = known.lastSeen + settings.absence < seen
        (known.lastSeen, known.signal, known.isRepeated) = (max(known.lastSeen, seen), sighting.signal, true)
        heard[sighting.medium]?[key] = known
        return isBack
    }

    /// Removes an eighth of the entries at a time, so that a flood costs little for each of its frames.
    private mutating func forgetLeastLikely(on medium: Medium) {
        let likeliestFirst = heard[medium, default: [:]].ordered { $0.value.isLikelier(than: $1.value) }
        for (key, _) in likeliestFirst.suffix(max(1, limit / 8)) { heard[medium]?[key] = nil }
    }

    /// Returns the frames that were heard on a medium since they were last reported, with their ages, the
    /// likeliest first.
    func unreported(on medium: Medium, now: Instant) -> [(key: Key, heard: Heard, age: Duration)] {
        heard[medium, default: [:]].compactMap { key, one in
            let age = one.lastSeen.duration(to: now)
            guard one.reported.map({ $0 < one.lastSeen }) ?? true, age <= settings.oldestObservation else {
                return nil
            }
            return (key, one, age)
        }.ordered { $0.heard.isLikelier(than: $1.heard) }
    }

    /// Notes that the registry knows the hearing of a frame at a time.
    mutating func confirm(_ key: Key, on medium: Medium, heardAt time: Instant, isValid: Bool) {
        heard[medium]?[key]?.reported = time
        heard[medium]?[key]?.isValid = isValid
    }

    /// Marks all frames as unreported, because the registry has forgotten everything.
    mutating func forgetReports() {
        for (medium, known) in heard.inOrder {
            heard[medium] = known.mapValues {
                var one = $0
                (one.reported, one.isValid) = (nil, false)
                return one
            }
        }
    }

    /// Removes a frame. Returns true if it was known.
    mutating func remove(_ key: Key, on medium: Medium) -> Bool {
        heard[medium]?.removeValue(forKey: key) != nil
    }

    func count(on medium: Medium) -> Int { heard[medium]?.count ?? 0 }

    /// Returns the number of frames that are certainly there: the registry has confirmed them, or they were
    /// heard repeatedly.
    func steadyCount(on medium: Medium) -> Int {
        heard[medium, default: [:]].values.count { $0.isValid || $0.isRepeated }
    }

    private var isEmpty: Bool { heard.values.allSatisfy { $0.isEmpty } }

    var deadline: Instant? { isEmpty ? nil : nextSweep }

    /// Removes expired entries, at most once a second.
    mutating func sweep(now: Instant) {
        guard now >= nextSweep, !isEmpty else { return }
        nextSweep = now + .seconds(1)
        for (medium, known) in heard.inOrder {
            heard[medium] = known.filter { $0.value.lastSeen + settings.neighbourhood > now }
        }
    }
}

extension HeardTable.Heard {
    /// Returns true if this frame is likelier than `other` to come from a device nearby: because the registry
    /// has confirmed it, it was heard repeatedly, it is stronger, or it is newer. The frame's bits do not
    /// count, because its sender chooses them.
    func isLikelier(than other: HeardTable.Heard) -> Bool {
        if isValid != other.isValid { return isValid }
        if isRepeated != other.isRepeated { return isRepeated }
        if signal.strength != other.signal.strength { return signal.strength > other.signal.strength }
        return number > other.number
    }
}

extension Sighting.Signal {
    /// The signal strength in steps of 10 dB, because smaller differences are random. Only signals of one
    /// medium are compared.
    fileprivate var strength: Int {
        let decibels = rssiDBm.map { Float($0) } ?? snrDecibels ?? 0
        return decibels.isFinite ? Int((min(200, max(-200, decibels)) / 10).rounded(.down)) : 0
    }
}

// MARK: Sealed frames

/// The table of sealed frames. No one judges whether they are valid. Sound carries less than one a second,
/// but a flood may come by another way.
extension HeardTable<SealedFrame> {
    init(_ settings: EngineSettings) { self.init(settings, limit: 256) }

    /// Returns the unreported frames, oldest first.
    func observations(now: Instant) -> [FrameObservation] {
        Medium.allCases.flatMap { medium in
            unreported(on: medium, now: now).map {
                FrameObservation($0.key, on: medium, age: $0.age, signal: $0.heard.signal)
            }
        }.ordered {
            $0.age == $1.age
                ? $0.frame.bytes.lexicographicallyPrecedes($1.frame.bytes) : $0.age > $1.age
        }
    }

    /// Notes that the registry has received these observations.
    mutating func confirm(_ observations: [FrameObservation], reportedAt: Instant) {
        for one in observations {
            confirm(one.frame, on: one.medium, heardAt: reportedAt - one.age, isValid: false)
        }
    }
}
