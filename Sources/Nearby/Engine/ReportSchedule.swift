/// When to report: at once what is new, else as often as the heart beats; later and later while nobody answers.
struct ReportSchedule: Sendable {
    private let settings: EngineSettings
    /// What is on its way, and since when.
    private(set) var inFlight: (report: Report, sent: Instant)?
    /// Something is new.
    var isUrgent = false
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
        return isUrgent ? earliest : max(earliest, heartbeat)
    }

    func isDue(at now: Instant, isAlive: Bool) -> Bool {
        deadline(isAlive: isAlive).map { $0 <= now } ?? false
    }

    func isHeartbeatDue(at now: Instant) -> Bool { heartbeat <= now }

    mutating func send(_ report: Report, now: Instant) {
        inFlight = (report, now)
        isUrgent = false
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
        case .unreachable, .refused: earliest = now + wait
        }
    }
}
