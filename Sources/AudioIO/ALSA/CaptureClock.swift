/// An estimator of the frames that a device lost, from the arrival times of the others. A value: it has no
/// device, and no clock but the instants that it is given.
///
///     late by │            ╭╌╌╌╌╌╌  3 s after the others: 144 000 frames at 48 kHz are missing
///             │ ▂▁▂▁▁▃▁▂▁▂▁┘        usual: the least of late
///             └────────────────▶ frames that came
///
/// Frames arrive late, because of the machine and the sound server, and never before they sounded. A server
/// may however render silence ahead of time, which proves nothing. After a stall, frames are held for a
/// moment: if they had only been waiting somewhere, they all arrive at once, and nothing is missing.
struct CaptureClock {
    enum Verdict: Hashable {
        /// Nothing is missing before these frames, nor before the held ones.
        case whole
        /// These frames and the following ones must be held.
        case held
        /// So many frames are missing before the held ones, or before these if none are held.
        case missing(Int)
    }

    private struct Stall {
        let isBroken: Bool
        let firstDelay: Double
        let sinceSeconds: Double
        var leastDelay: Double
    }

    /// The lateness above the usual that counts as a loss even if the device reported none.
    private static let leastLossSeconds = 0.5
    /// The time for which frames are held until their delay counts as permanent; less, if the delay shrinks
    /// by ``catchingUpSeconds``. PulseAudio on a busy machine is late by 0.35 s for 0.8 s when another stream
    /// begins, and then catches up.
    private static let heldSeconds = 0.8
    private static let catchingUpSeconds = 0.1
    /// The drift of a card's clock against the machine's: the rate at which the usual lateness may grow and
    /// shrink, in seconds per second.
    private static let drift = 1e-3
    private static let longestStepSeconds = 1.0

    private let rateHz: Double
    private let startSeconds: Double
    /// The number of frames that arrived and of those that were missing before them.
    private var frames = 0
    private var lastSeconds: Double
    private var usual: Double?
    /// The least lateness that counts; frames below it came ahead of time.
    private var least = 0.0
    private var stall: Stall?

    /// - Parameter startSeconds: the time at which the device began to capture.
    init(sampleRateHz: Int, startSeconds: Double) {
        rateHz = Double(sampleRateHz)
        (self.startSeconds, lastSeconds) = (startSeconds, startSeconds)
    }

    /// Takes frames that arrived.
    ///
    /// - Parameters:
    ///   - now: the time by which they had arrived.
    ///   - isBroken: true if the device stopped before them.
    mutating func add(_ count: Int, atSeconds now: Double, isBroken: Bool) -> Verdict {
        frames += count
        let lateness = now - startSeconds - Double(frames) / rateHz
        let delay = lateness - (usual ?? lateness)
        if isBroken || stall != nil || delay > CaptureClock.leastLossSeconds {
            let verdict = judge(delay, now, isBroken: isBroken)
            if case .whole = verdict {} else { return verdict }
        }
        let change = CaptureClock.drift * min(now - lastSeconds, CaptureClock.longestStepSeconds)
        least = min(least, max(lateness, least - change))
        usual = min((usual ?? .infinity) + change, max(lateness, least))
        lastSeconds = now
        return .whole
    }

    private mutating func judge(_ delay: Double, _ now: Double, isBroken: Bool) -> Verdict {
        let before =
            stall
            ?? Stall(isBroken: isBroken, firstDelay: delay, sinceSeconds: now, leastDelay: delay)
        let least = min(before.leastDelay, delay)
        stall = Stall(
            isBroken: before.isBroken || isBroken, firstDelay: before.firstDelay,
            sinceSeconds: before.sinceSeconds, leastDelay: least)
        if !before.isBroken, !isBroken,
            least
                < max(
                    CaptureClock.leastLossSeconds, before.firstDelay - CaptureClock.catchingUpSeconds)
        {
            stall = nil
            return .whole
        }
        guard now - before.sinceSeconds >= CaptureClock.heldSeconds, let stall else { return .held }
        return loss(stall)
    }

    /// Returns the verdict on frames that cannot be held any longer. Unless the device has reported a break,
    /// nothing counts as missing yet.
    mutating func release() -> Verdict {
        guard let stall, stall.isBroken else {
            self.stall = nil
            return .whole
        }
        return loss(stall)
    }

    private mutating func loss(_ stall: Stall) -> Verdict {
        self.stall = nil
        let missing = max(0, Int(stall.leastDelay * rateHz))
        frames += missing
        return .missing(missing)
    }
}
