/// Sealed frames of others that were heard: what ``NeighbourTable`` is to tokens, but nobody says which of them are worth anything.
struct HeardFrames: Sendable {
    private struct Heard: Sendable {
        var medium: Medium
        var lastSeen: Instant
        var signal: Sighting.Signal
        /// ``lastSeen`` as the registry knows it.
        var reported: Instant?
    }

    private let settings: EngineSettings
    private var heard: [SealedFrame: Heard] = [:]
    private var nextSweep = Instant.start

    /// So many at most are known at a time: sound carries not one in a second, but a flood may come otherwise.
    private static let limit = 256

    init(_ settings: EngineSettings) { self.settings = settings }

    /// Whether it is one that the registry should be told of at once.
    mutating func note(_ frame: SealedFrame, _ sighting: Sighting, now: Instant) -> Bool {
        let seen = now - sighting.age
        let known = heard[frame]
        guard known.map({ $0.medium == sighting.medium }) ?? (heard.count < HeardFrames.limit) else {
            return false
        }
        heard[frame] = Heard(
            medium: sighting.medium, lastSeen: max(known?.lastSeen ?? seen, seen), signal: sighting.signal,
            reported: known?.reported)
        return known.map { $0.lastSeen + settings.absence < seen } ?? true
    }

    /// What was heard since it was last reported, the longest ago first.
    func observations(now: Instant) -> [FrameObservation] {
        heard.compactMap { frame, one -> FrameObservation? in
            let age = one.lastSeen.duration(to: now)
            guard one.reported.map({ $0 < one.lastSeen }) ?? true, age <= settings.oldestObservation else {
                return nil
            }
            return FrameObservation(frame, on: one.medium, age: age, signal: one.signal)
        }.sorted {
            $0.age == $1.age
                ? $0.frame.bytes.lexicographicallyPrecedes($1.frame.bytes) : $0.age > $1.age
        }
    }

    /// These have arrived.
    mutating func confirm(_ observations: [FrameObservation], reportedAt: Instant) {
        for one in observations { heard[one.frame]?.reported = reportedAt - one.age }
    }

    /// The registry has forgotten all.
    mutating func forgetReports() {
        for frame in heard.keys { heard[frame]?.reported = nil }
    }

    var deadline: Instant? { heard.isEmpty ? nil : nextSweep }

    /// Lets go what is too old, now and then.
    mutating func sweep(now: Instant) {
        guard now >= nextSweep, !heard.isEmpty else { return }
        nextSweep = now + .seconds(1)
        heard = heard.filter { $0.value.lastSeen + settings.neighbourhood > now }
    }
}
