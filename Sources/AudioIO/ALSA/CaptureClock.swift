/// How many frames a device lost, from when the others came. A value: no device and no clock but the instants it is given.
///
///     late by │            ╭╌╌╌╌╌╌  3 s after the others: 144 000 frames at 48 kHz are missing
///             │ ▂▁▂▁▁▃▁▂▁▂▁┘        usual: the least of late
///             └────────────────▶ frames that came
///
/// Frames come late, by what the machine and a sound server make of it, and never before they sounded; but a server may render
/// silence ahead of its time, which tells nothing. After a stall frames are held for a moment: what only waited somewhere
/// comes at once then, and nothing is missing.
struct CaptureClock {
    enum Verdict: Hashable {
        /// Nothing is missing before these frames, nor before those that were held.
        case whole
        /// These frames, and those that follow, are to be held.
        case held
        /// So many frames are missing before those that were held; before these, where none were.
        case missing(Int)
    }

    private struct Stall {
        let isBroken: Bool
        let firstDelay: Double
        let sinceSeconds: Double
        var leastDelay: Double
    }

    /// Later than usual by so much is a loss, though the device told of none.
    private static let leastLossSeconds = 0.5
    /// How long frames are held until it shows that they are late for good; sooner, if the delay shrinks by so much. PulseAudio on a
    /// busy machine is late by 0.35 s for 0.8 s when another stream begins, and then catches up.
    private static let heldSeconds = 0.8
    private static let catchingUpSeconds = 0.1
    /// A card's clock against the machine's: how fast the usual lateness may grow and shrink, seconds a second.
    private static let drift = 1e-3
    private static let longestStepSeconds = 1.0

    private let rateHz: Double
    private let startSeconds: Double
    /// Those that came, and those that were missing before them.
    private var frames = 0
    private var lastSeconds: Double
    private var usual: Double?
    /// Less than this is ahead of time.
    private var least = 0.0
    private var stall: Stall?

    /// - Parameter startSeconds: when the device began to capture.
    init(sampleRateHz: Int, startSeconds: Double) {
        rateHz = Double(sampleRateHz)
        (self.startSeconds, lastSeconds) = (startSeconds, startSeconds)
    }

    /// Takes frames that came.
    ///
    /// - Parameters:
    ///   - now: when they had come.
    ///   - isBroken: the device stopped before them.
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

    /// Frames cannot be held any longer: what is known by now. Without a word from the device nothing is missing yet.
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
