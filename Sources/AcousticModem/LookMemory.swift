/// A place where a frame may stand.
protocol FrameCandidate: Sendable {
    /// The start in baseband samples.
    var start: Double { get }
    /// The closing speed over the speed of sound, clock skew included.
    var timeScale: Double { get }
    var lane: Int { get }
    /// The score in nats.
    var score: Float { get }
}

/// A receiver's view of a candidate, with enough detail to decode it later.
protocol RepeatedLook: Sendable {
    associatedtype Candidate: FrameCandidate
    var candidate: Candidate { get }
}

/// A memory of likely frames that did not decode alone: repeats of one token add up, whatever the gaps.
struct LookMemory<Look: RepeatedLook>: Sendable {
    /// The number of looks that are kept, how long they are kept, and the most frames combined at once, the
    /// newest included.
    private let capacity: Int
    private let reachSeconds = 30.0
    private let mostFrames = 4

    private let rateHz: Double
    private let frameSamples: Double
    private let greatestChange: Double
    private var looks: [Look] = []

    /// - Parameters:
    ///   - capacity: the number of looks that are remembered.
    ///   - rateHz: the sample rate of the baseband.
    ///   - frameSamples: the length of a frame in baseband samples; repeats are no nearer.
    ///   - greatestChange: the greatest change of the time scale from one frame to another of one sender: a
    ///     walker's changes.
    init(capacity: Int, rateHz: Double, frameSamples: Double, greatestChange: Double) {
        self.capacity = capacity
        (self.rateHz, self.frameSamples, self.greatestChange) = (rateHz, frameSamples, greatestChange)
    }

    /// Returns earlier looks that may hold the same token as `look`, the highest rank first, none overlapping
    /// another.
    ///
    /// - Parameter rank: returns the rank of a look, or `nil` to leave it out.
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

    /// Drops looks by their starts, in place, since a receiver remembers while it listens.
    private mutating func drop(where isDropped: (Double) -> Bool) {
        for place in looks.indices.reversed() where isDropped(looks[place].candidate.start) {
            looks.remove(at: place)
        }
    }
}
