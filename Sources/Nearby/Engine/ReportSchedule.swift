/// The schedule of reports: events are reported at once, and otherwise there is a heartbeat, as often as the
/// registry asks for; while the registry does not answer, the delays grow. Tokens of strangers count as
/// events too, so reports that only name them are rate-limited.
struct ReportSchedule: Sendable {
    private let settings: EngineSettings
    /// The report in flight, and the time at which it was sent.
    private(set) var inFlight: (report: Report, sent: Instant)?
    /// True if the device itself has something new to report.
    var isUrgent = false
    /// The time at which to report a token that was heard.
    private var sighting: Instant?
    /// The theoretical time of the rate limit: it advances by one interval with each report that names
    /// tokens, and is never before the last of these reports (GCRA, ITU-T I.371).
    private var sightingTime = Instant.start
    /// The earliest time for the next report after a failure.
    private var earliest = Instant.start
    /// The time of the last report; `nil` before the first.
    private var lastSent: Instant?
    /// The longest time to the next report, as the registry has asked; `nil` if it has not.
    var keepAlive: Duration?
    /// True if something waits for the next heartbeat, which then comes after the engine's own interval.
    var isUnsettled = false
    private var backOff: BackOff
    /// True if the next report must be complete.
    private(set) var isComplete = true
    private(set) var error: RegistryError?

    init(_ settings: EngineSettings) {
        self.settings = settings
        backOff = BackOff(settings.retry)
    }

    /// True if the registry asks for reports only when something changes.
    var isQuiet: Bool { keepAlive != nil }

    private var heartbeat: Instant {
        guard let lastSent else { return .start }
        let own = settings.heartbeat
        return lastSent + (isUnsettled ? min(own, keepAlive ?? own) : keepAlive ?? own)
    }

    /// Returns the time at which the next report is due, or `nil` while one is in flight or there is nothing
    /// to report.
    func deadline(isAlive: Bool) -> Instant? {
        guard inFlight == nil, isAlive else { return nil }
        return isUrgent ? earliest : max(earliest, min(heartbeat, sighting ?? .end))
    }

    /// Notes that a token was heard that should be reported.
    mutating func noteSighting(now: Instant) {
        let credit = settings.sightingReportInterval * (settings.sightingReportsAtOnce - 1)
        sighting = sighting ?? max(now, sightingTime - credit)
    }

    func isDue(at now: Instant, isAlive: Bool) -> Bool {
        deadline(isAlive: isAlive).map { $0 <= now } ?? false
    }

    func isHeartbeatDue(at now: Instant) -> Bool { heartbeat <= now }

    mutating func send(_ report: Report, now: Instant) {
        inFlight = (report, now)
        (isUrgent, sighting) = (false, nil)
        if !report.observations.isEmpty {
            sightingTime = max(sightingTime, now) + settings.sightingReportInterval
        }
        lastSent = now
    }

    mutating func succeed() {
        (inFlight, error, isComplete) = (nil, nil, false)
        backOff.reset()
    }

    mutating func fail(
        _ error: RegistryError, now: Instant, random: inout some RandomNumberGenerator
    ) {
        // A registry that answers is back, whatever the answer.
        let isForgottenAnew = error == .unknownDevice && self.error != .unknownDevice
        if isForgottenAnew { backOff.reset() }
        (inFlight, self.error, isUrgent) = (nil, error, true)
        let wait = backOff.next(using: &random)
        switch error {
        case .unknownDevice:
            (isComplete, keepAlive) = (true, nil)
            // The first retry is immediate: the error is nobody's fault.
            earliest = isForgottenAnew ? now : now + wait
        case .rateLimited(let time): earliest = now + max(time, wait)
        case .unreachable, .refused, .notReady: earliest = now + wait
        }
    }
}
