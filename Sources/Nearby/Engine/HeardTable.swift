/// Frames of others that were heard, medium by medium, and how much of it the registry knows.
struct HeardTable<Key: Hashable & Sendable>: Sendable {
    struct Heard: Sendable {
        var lastSeen: Instant
        var signal: Sighting.Signal
        /// ``lastSeen`` as the registry knows it.
        var reported: Instant?
        /// It was heard more than once.
        var isRepeated = false
        /// The registry has said that it stands for somebody.
        var isValid = false
        /// Counts all that were heard: the higher, the newer.
        let number: UInt64
    }

    private let settings: EngineSettings
    private let limit: Int
    private var heard = PerMedium<[Key: Heard]>()
    private var count: UInt64 = 0
    private var nextSweep = Instant.start

    /// - Parameter limit: frames of one medium that are known at a time.
    init(_ settings: EngineSettings, limit: Int) { (self.settings, self.limit) = (settings, limit) }

    /// Whether the registry should be told of it at once: it is new, or back after it may have been lost.
    ///
    /// There is always room for it: in a flood, the least likely ones go.
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

    /// An eighth at a time, so that a flood costs little for each of its frames.
    private mutating func forgetLeastLikely(on medium: Medium) {
        let likeliestFirst = heard[medium, default: [:]].ordered { $0.value.isLikelier(than: $1.value) }
        for (key, _) in likeliestFirst.suffix(max(1, limit / 8)) { heard[medium]?[key] = nil }
    }

    /// The frames that were heard on a medium since they were last reported, and how long ago; the likeliest first.
    func unreported(on medium: Medium, now: Instant) -> [(key: Key, heard: Heard, age: Duration)] {
        heard[medium, default: [:]].compactMap { key, one in
            let age = one.lastSeen.duration(to: now)
            guard one.reported.map({ $0 < one.lastSeen }) ?? true, age <= settings.oldestObservation else {
                return nil
            }
            return (key, one, age)
        }.ordered { $0.heard.isLikelier(than: $1.heard) }
    }

    /// The registry knows of it, as it was heard at a time.
    mutating func confirm(_ key: Key, on medium: Medium, heardAt time: Instant, isValid: Bool) {
        heard[medium]?[key]?.reported = time
        heard[medium]?[key]?.isValid = isValid
    }

    /// The registry has forgotten all.
    mutating func forgetReports() {
        for (medium, known) in heard.inOrder {
            heard[medium] = known.mapValues {
                var one = $0
                (one.reported, one.isValid) = (nil, false)
                return one
            }
        }
    }

    /// Whether it was known.
    mutating func remove(_ key: Key, on medium: Medium) -> Bool {
        heard[medium]?.removeValue(forKey: key) != nil
    }

    func count(on medium: Medium) -> Int { heard[medium]?.count ?? 0 }

    /// Those that are certainly there: the registry says so, or they were heard repeatedly.
    func steadyCount(on medium: Medium) -> Int {
        heard[medium, default: [:]].values.count { $0.isValid || $0.isRepeated }
    }

    private var isEmpty: Bool { heard.values.allSatisfy { $0.isEmpty } }

    var deadline: Instant? { isEmpty ? nil : nextSweep }

    /// Lets go what is too old, now and then.
    mutating func sweep(now: Instant) {
        guard now >= nextSweep, !isEmpty else { return }
        nextSweep = now + .seconds(1)
        for (medium, known) in heard.inOrder {
            heard[medium] = known.filter { $0.value.lastSeen + settings.neighbourhood > now }
        }
    }
}

extension HeardTable.Heard {
    /// Whether it is rather a device nearby than `other` is: the registry says so, it was heard repeatedly, it is stronger, it is
    /// newer. Never by its bits, which whoever sends them chooses.
    func isLikelier(than other: HeardTable.Heard) -> Bool {
        if isValid != other.isValid { return isValid }
        if isRepeated != other.isRepeated { return isRepeated }
        if signal.strength != other.signal.strength { return signal.strength > other.signal.strength }
        return number > other.number
    }
}

extension Sighting.Signal {
    /// In steps of 10 dB: less is the chance of a moment. Only signals of one medium are compared.
    fileprivate var strength: Int {
        let decibels = rssiDBm.map { Float($0) } ?? snrDecibels ?? 0
        return decibels.isFinite ? Int((min(200, max(-200, decibels)) / 10).rounded(.down)) : 0
    }
}

// MARK: Sealed frames

/// Nobody says which of them are worth anything. Sound carries not one in a second, but a flood may come otherwise.
extension HeardTable<SealedFrame> {
    init(_ settings: EngineSettings) { self.init(settings, limit: 256) }

    /// The longest ago first.
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

    /// These have arrived.
    mutating func confirm(_ observations: [FrameObservation], reportedAt: Instant) {
        for one in observations {
            confirm(one.frame, on: one.medium, heardAt: reportedAt - one.age, isValid: false)
        }
    }
}
