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
        /// The time after ``lastSeen`` for which the frame counts as heard; `nil` for the standard time.
        var patience: Duration?
        /// True if another frame of the same device has replaced this one: its end is nobody's concern.
        var isReplaced = false
        /// The value of ``lastSeen`` that was too long ago by the registry's last answer.
        var ended: Instant?
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
    /// after it may have been lost. A renewal is never an event.
    ///
    /// There is always room for a new frame: in a flood, the least likely ones are removed.
    ///
    /// - Parameter isQuiet: true if the registry is told when a frame is no longer heard. A frame is then
    ///   lost only if the registry was told so.
    mutating func note(_ key: Key, _ sighting: Sighting, isQuiet: Bool = false, now: Instant) -> Bool {
        if sighting.isRenewal {
            renew(key, sighting, now: now)
            return false
        }
        let seen = now - sighting.age
        guard var known = heard[sighting.medium]?[key] else {
            if self.count(on: sighting.medium) >= limit { forgetLeastLikely(on: sighting.medium) }
            count += 1
            heard[sighting.medium, default: [:]][key] = Heard(
                lastSeen: seen, signal: sighting.signal, number: count)
            return true
        }
        let isBack =
            isQuiet
            ? known.reported == nil && !isPresent(known, now: now)
            : known.lastSeen + settings.absence < seen
        (known.lastSeen, known.signal, known.isRepeated) = (max(known.lastSeen, seen), sighting.signal, true)
        heard[sighting.medium]?[key] = known
        return isBack
    }

    /// Prolongs the presence of a frame that counts as heard.
    private mutating func renew(_ key: Key, _ sighting: Sighting, now: Instant) {
        let seen = now - sighting.age
        guard let known = heard[sighting.medium]?[key], isPresent(known, now: seen),
            !hasFallen(sighting.signal, below: known.signal)
        else { return }
        heard[sighting.medium]?[key]?.lastSeen = max(known.lastSeen, seen)
    }

    /// Returns true if a signal is so much fainter than that of the last frame that was read that a wall has
    /// come between.
    private func hasFallen(_ signal: Sighting.Signal, below last: Sighting.Signal) -> Bool {
        guard let now = signal.snrDecibels, let before = last.snrDecibels else { return false }
        return now < before - settings.renewalFallDecibels
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

    // MARK: Frames that count as heard

    private func patience(with one: Heard) -> Duration { one.patience ?? settings.patience }

    private func isPresent(_ one: Heard, now: Instant) -> Bool {
        one.lastSeen + patience(with: one) > now
    }

    /// Returns true if the registry should be asked whether a frame still counts as heard: its patience is
    /// over, as the registry gave it, but its sender may have slowed down since.
    private func isInDoubt(_ one: Heard, now: Instant) -> Bool {
        one.isValid && one.reported != nil && !one.isReplaced && one.ended != one.lastSeen
            && !isPresent(one, now: now)
    }

    /// Returns the frames of a medium that count as heard or are in doubt, with their ages, the likeliest
    /// first.
    func present(on medium: Medium, now: Instant) -> [(key: Key, heard: Heard, age: Duration)] {
        heard[medium, default: [:]].compactMap { key, one in
            isPresent(one, now: now) || isInDoubt(one, now: now)
                ? (key, one, one.lastSeen.duration(to: now)) : nil
        }.ordered { $0.heard.isLikelier(than: $1.heard) }
    }

    private func contains(where isSo: (Heard) -> Bool) -> Bool {
        heard.values.contains { $0.values.contains(where: isSo) }
    }

    /// Returns true if a frame counts as heard and the registry does not know it.
    func hasUnreported(now: Instant) -> Bool { contains { $0.reported == nil && isPresent($0, now: now) } }

    /// Returns true if a frame that the registry knows is no longer heard, and was not replaced.
    func hasEnds(now: Instant) -> Bool {
        contains { $0.reported != nil && !$0.isReplaced && !isPresent($0, now: now) }
    }

    /// Returns true if a frame counts as heard that the registry knows but has not judged to be valid.
    func hasUnjudged(now: Instant) -> Bool {
        contains { $0.reported != nil && !$0.isValid && isPresent($0, now: now) }
    }

    /// Sets how long a frame counts as heard after its last hearing; zero means that it was replaced.
    /// If that time is over, the next report leaves the frame out.
    mutating func setPatience(_ patience: Duration?, of key: Key, on medium: Medium, now: Instant) {
        guard var one = heard[medium]?[key] else { return }
        one.isReplaced = patience == .zero
        one.patience = patience.flatMap { $0 > .zero ? $0 : nil }
        if !isPresent(one, now: now) { one.ended = one.lastSeen }
        heard[medium]?[key] = one
    }

    /// Notes that the registry does not count the hearing of a frame at a time as one, because it was too
    /// long ago.
    mutating func end(_ key: Key, on medium: Medium, heardAt time: Instant) {
        guard let one = heard[medium]?[key] else { return }
        if one.lastSeen <= time { heard[medium]?[key] = nil } else { heard[medium]?[key]?.reported = nil }
    }

    /// Notes that the registry knows none but these frames to be heard.
    mutating func keepReports(where isKnown: (Key, Medium) -> Bool) {
        for (medium, all) in heard.inOrder {
            for key in all.keys where !isKnown(key, medium) { heard[medium]?[key]?.reported = nil }
        }
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

    /// Removes expired entries, at most once a second, and when a frame that the registry knows ends. Returns
    /// true if it did.
    @discardableResult
    mutating func sweep(now: Instant) -> Bool {
        guard now >= nextSweep, !isEmpty else { return false }
        nextSweep = now + .seconds(1)
        for (medium, known) in heard.inOrder {
            heard[medium] = known.filter {
                $0.value.lastSeen + max(settings.neighbourhood, patience(with: $0.value)) > now
            }
            for one in heard[medium, default: [:]].values where one.reported != nil && !one.isReplaced {
                let end = one.lastSeen + patience(with: one)
                if end > now { nextSweep = min(nextSweep, end) }
            }
        }
        return true
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
        let all = Medium.allCases.flatMap { medium in
            unreported(on: medium, now: now).map {
                FrameObservation($0.key, on: medium, age: $0.age, signal: $0.heard.signal)
            }
        }
        return all.ordered {
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
