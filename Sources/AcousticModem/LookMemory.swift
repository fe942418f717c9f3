/// Where a frame may stand.
protocol FrameCandidate: Sendable {
    /// Baseband samples.
    var start: Double { get }
    /// Closing speed over the speed of sound, clock skew included.
    var timeScale: Double { get }
    var lane: Int { get }
    /// Nats.
    var score: Float { get }
}

/// What a receiver saw of a candidate, enough to decode it later.
protocol RepeatedLook: Sendable {
    associatedtype Candidate: FrameCandidate
    var candidate: Candidate { get }
}

/// Looks at likely frames that did not decode alone: repeats of one token add up, whatever the gaps.
struct LookMemory<Look: RepeatedLook>: Sendable {
    /// How long looks are remembered; frames combined at once, the newest included.
    private let capacity: Int
    private let reachSeconds = 30.0
    private let mostFrames = 4

    private let rateHz: Double
    private let frameSamples: Double
    private let greatestChange: Double
    private var looks: [Look] = []

    /// - Parameters:
    ///   - capacity: looks that are remembered.
    ///   - rateHz: of the baseband.
    ///   - frameSamples: of the baseband; repeats are no nearer.
    ///   - greatestChange: of the time scale, from one frame to another of one sender: a walker's changes.
    init(capacity: Int, rateHz: Double, frameSamples: Double, greatestChange: Double) {
        self.capacity = capacity
        (self.rateHz, self.frameSamples, self.greatestChange) = (rateHz, frameSamples, greatestChange)
    }

    /// Earlier looks that may hold the same token as `look`, the highest rank first, none overlapping another.
    ///
    /// - Parameter rank: nil: not wanted.
    func partners(of look: Look, rank: (Look) -> Float?) -> [Look] {
        var ranked: [(place: Int, rank: Float)] = []
        let own = look.candidate
        for place in looks.indices where mayRepeat(own, looks[place].candidate) {
            if let rank = rank(looks[place]) { ranked.append((place, rank)) }
        }
        ranked.sort { $0.rank > $1.rank }
        var chosen: [Look] = []
        for (place, _) in ranked where chosen.count < mostFrames - 1 {
            if chosen.allSatisfy({ areApart($0.candidate, looks[place].candidate) }) {
                chosen.append(looks[place])
            }
        }
        return chosen
    }

    private func mayRepeat(_ own: Look.Candidate, _ other: Look.Candidate) -> Bool {
        own.lane == other.lane && areApart(own, other)
            && abs(other.timeScale - own.timeScale) < greatestChange
    }

    private func areApart(_ own: Look.Candidate, _ other: Look.Candidate) -> Bool {
        abs(own.start - other.start) > frameSamples
    }

    mutating func remember(_ look: Look) {
        let oldest = look.candidate.start - reachSeconds * rateHz
        drop { $0 < oldest }
        if looks.count == capacity { looks.removeFirst() }
        looks.append(look)
    }

    /// Drops the looks at a frame that has been heard.
    mutating func forget(near start: Double, within samples: Double) {
        drop { abs($0 - start) < samples }
    }

    mutating func forgetAll() { looks.removeAll(keepingCapacity: true) }

    /// By their starts; in place, since a receiver remembers while it listens.
    private mutating func drop(where isDropped: (Double) -> Bool) {
        for place in looks.indices.reversed() where isDropped(looks[place].candidate.start) {
            looks.remove(at: place)
        }
    }
}
