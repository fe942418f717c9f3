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
        var chosen: [Look] = []
        while chosen.count < mostFrames - 1 {
            var best: (place: Int, rank: Float)?
            for place in looks.indices where mayRepeat(look, looks[place]) {
                guard chosen.allSatisfy({ areApart($0, looks[place]) }), let rank = rank(looks[place]),
                    rank > best?.rank ?? -.infinity
                else { continue }
                best = (place, rank)
            }
            guard let best else { break }
            chosen.append(looks[best.place])
        }
        return chosen
    }

    private func mayRepeat(_ look: Look, _ other: Look) -> Bool {
        look.candidate.lane == other.candidate.lane && areApart(look, other)
            && abs(other.candidate.timeScale - look.candidate.timeScale) < greatestChange
    }

    private func areApart(_ look: Look, _ other: Look) -> Bool {
        abs(look.candidate.start - other.candidate.start) > frameSamples
    }

    mutating func remember(_ look: Look) {
        let oldest = look.candidate.start - reachSeconds * rateHz
        looks.removeAll { $0.candidate.start < oldest }
        if looks.count == capacity { looks.removeFirst() }
        looks.append(look)
    }

    /// Drops the looks at a frame that has been heard.
    mutating func forget(near start: Double, within samples: Double) {
        looks.removeAll { abs($0.candidate.start - start) < samples }
    }
}
