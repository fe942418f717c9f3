import CommandOutput
import Glibc

/// The counts at one Eb/N0.
struct CurvePoint: Sendable {
    var ebN0Decibels: Double
    var trials = 0
    /// The number of trials in which every sender's token was heard.
    var heard = 0
    /// The number of trials in which the loudest sender's token was heard, and that of all tokens heard.
    struct Senders: Sendable, Equatable {
        var loudestHeard = 0
        var tokensHeard = 0
    }
    /// `nil` if there is one sender only.
    var senders: Senders?
    var wrongTokens = 0
    var measuredEbN0Sum = 0.0
    var receiverSeconds = 0.0

    mutating func add(_ outcome: Trial.Outcome) {
        trials += 1
        heard += outcome.isHeard ? 1 : 0
        senders?.loudestHeard += outcome.isLoudestHeard ? 1 : 0
        senders?.tokensHeard += outcome.tokensHeard
        wrongTokens += outcome.wrongTokens
        measuredEbN0Sum += outcome.measuredEbN0 ?? 0
        receiverSeconds += outcome.receiverSeconds
    }

    var successRate: Double { Double(heard) / Double(max(trials, 1)) }

    /// Wilson's score interval, 95 %.
    var interval: (low: Double, high: Double) {
        let n = Double(max(trials, 1))
        let p = successRate
        let z = 1.959964
        let centre = p + z * z / (2 * n)
        let spread = z * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
        return ((centre - spread) / (1 + z * z / n), (centre + spread) / (1 + z * z / n))
    }

    /// Returns the Eb/N0 at which the success rate first crosses `target`, interpolated between points.
    static func crossing(_ points: [CurvePoint], target: Double = 0.9) -> Double? {
        for (low, high) in zip(points, points.dropFirst())
        where low.successRate < target && high.successRate >= target {
            let share = (target - low.successRate) / (high.successRate - low.successRate)
            return low.ebN0Decibels + share * (high.ebN0Decibels - low.ebN0Decibels)
        }
        return nil
    }

    /// Returns the heading of the columns; several senders need two more.
    static func csvHeader(senderCount: Int) -> String {
        "ebn0_db,trials,heard,missed,wrong_tokens,success,low95,high95,measured_ebn0_db,cpu_ms"
            + (senderCount > 1 ? ",loudest_heard,tokens_heard" : "")
    }

    var csv: String {
        let mean = heard > 0 ? measuredEbN0Sum / Double(heard) : .nan
        let fields = [
            FixedPoint.text(ebN0Decibels, places: 2), "\(trials)", "\(heard)", "\(trials - heard)",
            "\(wrongTokens)",
            FixedPoint.text(successRate, places: 4), FixedPoint.text(interval.low, places: 4),
            FixedPoint.text(interval.high, places: 4), FixedPoint.text(mean, places: 2),
            FixedPoint.text(1000 * receiverSeconds / Double(max(trials, 1)), places: 2),
        ]
        return (fields + (senders.map { ["\($0.loudestHeard)", "\($0.tokensHeard)"] } ?? [])).joined(
            separator: ",")
    }

    /// Parses a line of ``csv``, for resuming; `nil` if it is no point.
    init?(csv line: String) {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        guard [10, 12].contains(fields.count), let ebN0 = Double(fields[0]), let trials = Int(fields[1]),
            let heard = Int(fields[2]),
            let wrong = Int(fields[4])
        else { return nil }
        ebN0Decibels = ebN0
        self.trials = trials
        self.heard = heard
        wrongTokens = wrong
        if fields.count == 12 {
            guard let loudest = Int(fields[10]), let tokens = Int(fields[11]) else { return nil }
            senders = Senders(loudestHeard: loudest, tokensHeard: tokens)
        }
        measuredEbN0Sum = heard > 0 ? (Double(fields[8]) ?? 0) * Double(heard) : 0
        receiverSeconds = (Double(fields[9]) ?? 0) / 1000 * Double(trials)
    }

    init(ebN0Decibels: Double, senderCount: Int = 1) {
        self.ebN0Decibels = ebN0Decibels
        senders = senderCount > 1 ? Senders() : nil
    }
}
