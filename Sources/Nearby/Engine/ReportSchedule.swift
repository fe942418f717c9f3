/// When to report: at once what is new, else as often as the heart beats; later and later while nobody answers. Tokens that strangers
/// send are new too, and so reports that only tell of them are paced.
struct ReportSchedule: Sendable {
    private let settings: EngineSettings
    /// What is on its way, and since when.
    private(set) var inFlight: (report: Report, sent: Instant)?
    /// The device itself has something new to say.
    var isUrgent = false
    /// When a token that was heard is to be told of.
    private var sighting: Instant?
    /// One interval later for each report that told of tokens; never before the last of them (GCRA, ITU-T I.371).
    private var sightingTime = Instant.start
    /// Not before, after a failure.
    private var earliest = Instant.start
    private var heartbeat = Instant.start
    private var backOff: BackOff
    /// The next report says everything.
    private(set) var isComplete = true
    private(set) var error: RegistryError?

    init(_ settings: EngineSettings) {
        self.settings = settings
        backOff = BackOff(settings.retry)
    }

    /// When to look again; nil while one is on its way.
    func deadline(isAlive: Bool) -> Instant? {
        guard inFlight == nil, isAlive else { return nil }
        return isUrgent ? earliest : max(earliest, min(heartbeat, sighting ?? .end))
    }

    /// A token was heard that the registry should be told of.
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
        heartbeat = now + settings.heartbeat
    }

    mutating func succeed() {
        (inFlight, error, isComplete) = (nil, nil, false)
        backOff.reset()
    }

    mutating func fail(
        _ error: RegistryError, now: Instant, random: inout some RandomNumberGenerator
    ) {
        // Whoever answers is back, whatever it says.
        let isForgottenAnew = error == .unknownDevice && self.error != .unknownDevice
        if isForgottenAnew { backOff.reset() }
        (inFlight, self.error, isUrgent) = (nil, error, true)
        let wait = backOff.next(using: &random)
        switch error {
        case .unknownDevice:
            isComplete = true
            // Once at once: it is nobody's fault.
            earliest = isForgottenAnew ? now : now + wait
        case .rateLimited(let time): earliest = now + max(time, wait)
        case .unreachable, .refused, .notReady: earliest = now + wait
        }
    }
}
