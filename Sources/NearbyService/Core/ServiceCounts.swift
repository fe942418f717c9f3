import Nearby

/// What a service has done since it began.
public struct ServiceCounts: Sendable, Hashable {
    /// Devices that came anew; not those that the store still had.
    public var registrations = 0
    /// Reports that were taken, heartbeats included.
    public var reports = 0
    /// Tokens observed that stand for a device; each counts again with each report that names it.
    public var validTokens = 0
    /// Tokens observed that stand for nobody; each counts again with each report that names it.
    public var invalidTokens = 0
    /// Tokens observed that were not judged: named too late, or over a budget.
    public var unjudgedTokens = 0
    /// Tokens that were issued, one for each medium at a time.
    public var grants = 0
    /// News for devices: each that something was found, updated or lost.
    public var deliveries = 0
    /// Tokens heard by more than a room has.
    public var suspectTokens = 0
    /// Of reports, for too much of something.
    public var refusals = 0

    /// All counts at 0.
    public init() {}

    mutating func note(_ report: Report, _ answer: Answer) {
        reports += 1
        for verdict in answer.verdicts.values {
            switch verdict {
            case .valid: validTokens += 1
            case .invalid: invalidTokens += 1
            case .notJudged: unjudgedTokens += 1
            }
        }
        grants += answer.grants.count
        deliveries += answer.deliveries.count
    }
}
