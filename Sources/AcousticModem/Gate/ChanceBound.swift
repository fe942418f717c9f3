/// The bound on the wrong tokens that chance makes of frames that are found, but cannot be decoded.
///
///     trial ─ decoder ─▶ Doubts ─ words that only their check kept out ─▶ counted
///                           └──── frames that are doubted ──────────────▶ heard if another frame agrees
struct ChanceBound: Sendable {
    private var budget: EffortBudget
    private var probation: Probation

    /// - Parameters:
    ///   - reserve: the words that a receiver begins with, as in ``ReceiverOptions``.
    ///   - rateHz: the sample rate of the baseband.
    ///   - frameSamples: the length of a frame in baseband samples.
    init(reserve: Double, rateHz: Double, frameSamples: Double) {
        budget = EffortBudget(perSecond: Thresholds.reports.chanceWordsPerSecond, burst: reserve)
        probation = Probation(rateHz: rateHz, frameSamples: frameSamples)
    }

    /// True if so many words were met that chance soon passes one of them: whatever is decoded is doubted.
    var isReached: Bool { !budget.isOpen }

    mutating func refill(seconds: Double) { budget.refill(seconds: seconds) }

    /// Counts the words of a trial. Returns the frame that was decoded, or one that is doubted if another
    /// frame held its token.
    ///
    /// - Parameter starts: the starts of the trial's frames, in baseband samples.
    mutating func settle<Frame: TokenFrame>(
        _ frame: Frame?, _ doubts: Doubts<Frame>, starts: [Double], _ statistics: inout ReceiverStatistics
    ) -> Frame? {
        budget.spend(doubts.words.count)
        statistics.chanceWords += Int64(doubts.words.count)
        statistics.sureChanceWords += Int64(doubts.words.sureCount)
        var heard = frame
        for doubted in doubts.frames where probation.agrees(doubted.token, starts: starts) && heard == nil {
            heard = doubted
        }
        if let frame { _ = probation.agrees(frame.token, starts: starts) }
        return heard
    }
}
