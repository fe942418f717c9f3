/// A frame that was reported. It tells another view of the same frame from the sender's next frame.
///
/// A frame that lost some sound, or had silence put into it, is heard at two places. Nobody sends a token
/// twice at once on one lane, so reports that overlap are one; so are a beginning and an end that add up to
/// one frame.
///
///     sent               |aaaaaaaaabbbbbbbbb|
///     with silence       |aaaaaaaaa|   |bbbbbbbbb|
///     heard              |aaaaaaaaa‥‥‥‥‥‥‥‥‥|
///                            |‥‥‥‥‥‥‥‥‥bbbbbbbbb|
struct ReportedFrame: Sendable {
    var startSeconds: Double
    var durationSeconds: Double
    var lane: Int
    var token: [UInt8]
    /// The part of the frame that holds its energy; all of it is 0..<1.
    var soundingPart: Range<Float>

    /// The latest time at which another view of the frame may begin.
    var reachSeconds: Double { startSeconds + durationSeconds + Thresholds.reports.longestPauseSeconds }

    /// Returns true if `other` is a view of the same frame.
    func isTwin(of other: ReportedFrame) -> Bool {
        lane == other.lane && token == other.token && (overlaps(other) || isCompleted(by: other))
    }

    private func overlaps(_ other: ReportedFrame) -> Bool {
        abs(startSeconds - other.startSeconds) < Thresholds.reports.leastPeriod * durationSeconds
    }

    /// Returns true if one report has the beginning of a frame, and the other, soon after, the end of it.
    private func isCompleted(by other: ReportedFrame) -> Bool {
        let (early, late) = startSeconds < other.startSeconds ? (self, other) : (other, self)
        let tolerance = Thresholds.reports.partTolerance
        return late.startSeconds < early.reachSeconds && late.soundingPart.lowerBound > tolerance
            && early.soundingPart.upperBound < late.soundingPart.lowerBound + tolerance
    }
}
