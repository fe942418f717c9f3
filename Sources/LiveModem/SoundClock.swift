/// A clock for the frames of a live stream. It keeps pairs of frame and instant, one for each block as it
/// comes. A value without a clock of its own: instants are seconds of any clock.
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
        /// True if frames are missing before the block that ends here.
        var isAfterGap: Bool
    }

    /// The greatest distance between a frame and a block's end for which the block is evidence of the frame's
    /// time: a program that was stalled gets all waiting blocks at once.
    private static let reachSeconds = 5.0
    /// The greatest age of a frame that is still asked for: the longest frame, and the time until it is
    /// reported.
    private static let keptSeconds = 60.0

    private let sampleRateHz: Double
    /// The pairs, in the order of their frames.
    private var pairs: [Pair] = []

    /// Precondition: a positive rate.
    public init(sampleRateHz: Int) {
        precondition(sampleRateHz > 0, "a rate is positive")
        self.sampleRateHz = Double(sampleRateHz)
    }

    /// Notes that by this instant, in seconds, all frames up to the one before `frame` had come. Both only
    /// grow; a clock that was set back goes on from there.
    ///
    /// - Parameter missing: the number of frames that were lost since the last call.
    public mutating func add(frame: Int, instant: Double, missing: Int = 0) {
        pairs.append(Pair(frame: frame, instant: instant, isAfterGap: missing > 0))
        let oldest = frame - Int(SoundClock.keptSeconds * sampleRateHz)
        let spare = pairs.firstIndex { $0.frame >= oldest } ?? pairs.count
        // The removal waits until there are many, because it moves the pairs that stay.
        if spare > pairs.count / 2 { pairs.removeFirst(spare) }
    }

    /// Returns the time at which a frame sounded, in seconds of the same clock; `nil` if nothing has come.
    /// Frames that have not come yet follow the last ones.
    ///
    /// - Parameter frame: the frame's number, counted as in ``add(frame:instant:missing:)``; it may be
    ///   between two frames.
    public func instant(ofFrame frame: Double) -> Double? {
        guard !pairs.isEmpty else { return nil }
        let own = firstIndex(from: frame) ?? pairs.count - 1
        let reach = SoundClock.reachSeconds * sampleRateHz
        var earliest = before(pairs[own], frame)
        // The length of a gap may be known slightly wrong, so a gap separates the pairs before it from those
        // after it.
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

    /// The number of pairs that are kept.
    var pairCount: Int { pairs.count }

    private func before(_ pair: Pair, _ frame: Double) -> Double {
        pair.instant - (Double(pair.frame) - frame) / sampleRateHz
    }

    /// Returns the index of the first pair that is not before a frame.
    private func firstIndex(from frame: Double) -> Int? {
        var (low, high) = (0, pairs.count)
        while low < high {
            let middle = (low + high) / 2
            if Double(pairs[middle].frame) < frame { low = middle + 1 } else { high = middle }
        }
        return low < pairs.count ? low : nil
    }
}
