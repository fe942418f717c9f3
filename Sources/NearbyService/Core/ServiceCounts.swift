import Nearby

/// The counts of what a service has done since it began.
public struct ServiceCounts: Sendable, Hashable {
    /// The number of new devices, without those that the store still had.
    public var registrations = 0
    /// The number of accepted reports, including heartbeats.
    public var reports = 0
    /// The number of observed tokens that belong to a device. Each token counts again in each report that
    /// names it.
    public var validTokens = 0
    /// The number of observed tokens that belong to no device. Each token counts again in each report that
    /// names it.
    public var invalidTokens = 0
    /// The number of observed tokens that were not judged, because they were named too late or a budget was
    /// used up.
    public var unjudgedTokens = 0
    /// The number of issued tokens, counted separately for each medium.
    public var grants = 0
    /// The number of news items for devices. Each item says that something was found, updated or lost.
    public var deliveries = 0
    /// The number of tokens that were heard by more devices, or in more networks, than one room holds.
    public var suspectTokens = 0
    /// The number of reports that were refused because a limit was exceeded.
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
