/// When the frames of a live stream sounded: pairs of frame and instant, of each block as it comes. A value, without a clock of its
/// own: instants are seconds of any.
///
///     instant │          ·╱    a block comes late, never early: of the blocks about a frame,
///             │        · ╱     up to the next gap, the one that was least late tells when it sounded
///             │   ╱· ╱ │
///             │ ·╱     gap
///             └──────────▶ frame
public struct SoundClock: Sendable {
    private struct Pair {
        var frame: Int
        var instant: Double
        /// Frames are missing before the block that ends here.
        var isAfterGap: Bool
    }

    /// Blocks that end so much before or after a frame tell of it: a program that stood still gets what waited in one go.
    private static let reachSeconds = 5.0
    /// As far back as a frame can be that is still asked for: the longest, and what it takes to be reported.
    private static let keptSeconds = 60.0

    private let sampleRateHz: Double
    /// By frame.
    private var pairs: [Pair] = []

    /// Precondition: a positive rate.
    public init(sampleRateHz: Int) {
        precondition(sampleRateHz > 0, "a rate is positive")
        self.sampleRateHz = Double(sampleRateHz)
    }

    /// By this instant, in seconds, all frames up to the one before `frame` had come. Both only grow; a clock that was set back
    /// goes on from there.
    ///
    /// - Parameter missing: frames that were lost since the last call.
    public mutating func add(frame: Int, instant: Double, missing: Int = 0) {
        pairs.append(Pair(frame: frame, instant: instant, isAfterGap: missing > 0))
        let oldest = frame - Int(SoundClock.keptSeconds * sampleRateHz)
        let spare = pairs.firstIndex { $0.frame >= oldest } ?? pairs.count
        // Not one by one: what is kept is moved.
        if spare > pairs.count / 2 { pairs.removeFirst(spare) }
    }

    /// When a frame sounded, in seconds of the same clock; nil before anything came. Frames that have not come yet follow the last
    /// ones.
    ///
    /// - Parameter frame: counted as in ``add(frame:instant:missing:)``; between two frames, too.
    public func instant(ofFrame frame: Double) -> Double? {
        guard !pairs.isEmpty else { return nil }
        let own = firstIndex(from: frame) ?? pairs.count - 1
        let reach = SoundClock.reachSeconds * sampleRateHz
        var earliest = before(pairs[own], frame)
        // How long a gap is may be known a little wrong: it parts what is before from what is after.
        var index = own + 1
        while index < pairs.count, !pairs[index].isAfterGap, Double(pairs[index].frame) < frame + reach {
            earliest = min(earliest, before(pairs[index], frame))
            index += 1
        }
        index = own
        while index > 0, !pairs[index].isAfterGap, Double(pairs[index - 1].frame) > frame - reach {
            index -= 1
            earliest = min(earliest, before(pairs[index], frame))
        }
        return earliest
    }

    /// Pairs that are kept.
    var pairCount: Int { pairs.count }

    private func before(_ pair: Pair, _ frame: Double) -> Double {
        pair.instant - (Double(pair.frame) - frame) / sampleRateHz
    }

    /// The first pair that is not before a frame.
    private func firstIndex(from frame: Double) -> Int? {
        var (low, high) = (0, pairs.count)
        while low < high {
            let middle = (low + high) / 2
            if Double(pairs[middle].frame) < frame { low = middle + 1 } else { high = middle }
        }
        return low < pairs.count ? low : nil
    }
}
