import Nearby

/// What a service has done since it began.
public struct ServiceCounts: Sendable, Hashable {
    public var registrations = 0
    public var reports = 0
    public var validTokens = 0
    public var invalidTokens = 0
    public var grants = 0
    public var deliveries = 0
    /// Tokens heard by more than a room has.
    public var suspectTokens = 0
    /// For too much of something.
    public var refusals = 0

    public init() {}

    mutating func note(_ report: Report, _ answer: Answer) {
        reports += 1
        validTokens += answer.valid.count
        invalidTokens += answer.invalid.count
        grants += answer.grants.count
        deliveries += answer.deliveries.count
    }
}
