import Signal

/// Looks at likely frames that did not decode alone: repeats of one token add up, whatever the gaps.
struct LookMemory: Sendable {
    private static let capacity = 24
    private static let reachSeconds = 30.0
    /// Doppler within which looks may be of one sender: a walker's changes from frame to frame.
    private static let dopplerHz = 2.5
    /// Frames combined at once, the newest included.
    private static let mostFrames = 4

    private let carrierHz: Double
    private let frameSamples: Double
    private var looks: [Look] = []

    init(profile: DSSSProfile) {
        carrierHz = profile.carrierHz
        frameSamples = Double(profile.segmentChipCount) / profile.chipRateHz * BandDecimator.outputRateHz
    }

    /// Earlier looks that may hold the same token as `look`, the most evident first, none overlapping another.
    func partners(of look: Look) -> [Look] {
        var chosen: [Look] = []
        let near = looks.filter {
            $0.candidate.lane == look.candidate.lane
                && abs($0.candidate.timeScale - look.candidate.timeScale) * carrierHz < LookMemory.dopplerHz
        }
        for other in near.sorted(by: { $0.candidate.score > $1.candidate.score })
        where chosen.count < LookMemory.mostFrames - 1 {
            if (chosen + [look]).allSatisfy({
                abs($0.candidate.start - other.candidate.start) > frameSamples
            }) {
                chosen.append(other)
            }
        }
        return chosen
    }

    mutating func remember(_ look: Look) {
        let oldest = look.candidate.start - LookMemory.reachSeconds * BandDecimator.outputRateHz
        looks.removeAll { $0.candidate.start < oldest }
        if looks.count == LookMemory.capacity { looks.removeFirst() }
        looks.append(look)
    }

    /// Drops the looks at a frame that has been heard.
    mutating func forget(near start: Double, within samples: Double) {
        looks.removeAll { abs($0.candidate.start - start) < samples }
    }
}
