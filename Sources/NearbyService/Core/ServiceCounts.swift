import Nearby

/// The reason for a report, as far as the report shows it: the first case that applies.
package enum ReportCause: String, Sendable, CaseIterable {
    /// The device leaves.
    case unregistration = "farewell"
    /// The device says everything, as after its registration or a loss of memory.
    case complete
    /// Publications or subscriptions have changed.
    case operations
    /// The device wants tokens.
    case tokens
    /// The device names what it hears.
    case hearings
    /// The device shows that it is there.
    case keepalive
}

extension Report {
    fileprivate var cause: ReportCause {
        switch true {
        case unregisters: .unregistration
        case isComplete: .complete
        case changesRecord: .operations
        case !wantsTokens.isEmpty: .tokens
        case !observations.isEmpty: .hearings
        default: .keepalive
        }
    }
}

/// The reason why a device is gone.
package enum DepartureCause: String, Sendable, CaseIterable {
    /// It did not report for too long.
    case silence
    /// It said so.
    case unregistration = "farewell"
    /// Its API key was revoked.
    case revoked
    /// An administrator removed it.
    case expelled
}

/// The counts of what a service has done since it began.
package struct ServiceCounts: Sendable, Hashable {
    /// The number of new devices, without those that the store still had.
    package var registrations = 0
    /// The number of accepted reports, including heartbeats.
    package var reports = 0
    /// The number of observed tokens that belong to a device. Each token counts again in each report that
    /// names it.
    package var validTokens = 0
    /// The number of observed tokens that belong to no device. Each token counts again in each report that
    /// names it.
    package var invalidTokens = 0
    /// The number of observed tokens that were not judged, because they were named too late or a budget was
    /// used up.
    package var unjudgedTokens = 0
    /// The number of issued tokens, counted separately for each medium.
    package var grants = 0
    /// The number of events for devices. Each event says that something was found, updated or lost.
    package var deliveries = 0
    /// The number of events of each kind; their sum is ``deliveries``.
    package var changes: [Answer.Change: Int] = [:]
    /// The number of reports with each cause; their sum is ``reports``.
    package var reportCauses: [ReportCause: Int] = [:]
    /// The number of devices that have left, by the reason.
    package var departures: [DepartureCause: Int] = [:]
    /// The number of streams that ended because the device did not answer any more.
    package var deadStreams = 0
    /// The number of streams that ended otherwise.
    package var closedStreams = 0
    /// The number of devices that were read from the store.
    package var restoredDevices = 0
    /// The times from the moment in which events for a device with a stream came about to the moment in which
    /// they went down that stream.
    package var timesToTell = DurationHistogram()
    /// The number of tokens that were heard by more devices, or in more networks, than one room holds.
    package var suspectTokens = 0
    /// The number of reports that were refused because a limit was exceeded.
    package var refusals = 0

    /// All counts at 0.
    package init() {}

    mutating func note(_ report: Report, _ answer: Answer) {
        reports += 1
        reportCauses[report.cause, default: 0] += 1
        for verdict in answer.verdicts.values {
            switch verdict {
            case .valid: validTokens += 1
            case .invalid: invalidTokens += 1
            case .notJudged: unjudgedTokens += 1
            }
        }
        grants += answer.grants.count
        note(answer.deliveries)
    }

    mutating func note(_ events: [Answer.Delivery]) {
        deliveries += events.count
        for one in events { changes[one.change, default: 0] += 1 }
    }
}
