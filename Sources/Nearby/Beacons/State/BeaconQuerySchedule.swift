/// The schedule of queries to a ``BeaconRegistry``: one query at a time, at a minimum interval, with growing
/// delays while the registry does not answer. A new beacon leads to a query at once; beacons that come
/// meanwhile wait for the next query, together.
struct BeaconQuerySchedule: Sendable {
    static let batchLimit = 256

    private let settings: EngineSettings
    private(set) var inFlight: BeaconQuery?
    /// True if there may be something to ask.
    var isPending = false
    private var earliest = Instant.start
    private var backOff: BackOff
    private var lastFilter: AttachmentFilter?
    private(set) var error: RegistryError?

    init(_ settings: EngineSettings) {
        self.settings = settings
        backOff = BackOff(settings.retry)
    }

    var deadline: Instant? { isPending && inFlight == nil ? earliest : nil }

    func isDue(at now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }

    /// Returns the queries in rotation, starting after the last one that was asked, so that none keeps the
    /// others waiting.
    func inTurn<Wanted>(
        _ questions: [(filter: AttachmentFilter, kinds: Wanted)]
    ) -> [(filter: AttachmentFilter, kinds: Wanted)] {
        guard let last = questions.firstIndex(where: { $0.filter == lastFilter }) else { return questions }
        return Array(questions[(last + 1)...] + questions[...last])
    }

    mutating func ask(_ question: BeaconQuery, now: Instant) {
        (inFlight, lastFilter) = (question, question.filter)
        earliest = now + settings.beaconQuestionInterval
    }

    mutating func succeed() {
        (inFlight, error, isPending) = (nil, nil, true)
        backOff.reset()
    }

    mutating func fail(_ error: RegistryError, now: Instant, random: inout some RandomNumberGenerator) {
        (inFlight, self.error, isPending) = (nil, error, true)
        let wait = backOff.next(using: &random)
        if case .rateLimited(let time) = error {
            earliest = max(earliest, now + max(time, wait))
        } else {
            earliest = max(earliest, now + wait)
        }
    }

    /// Clears the error, because no subscription looks for beacons any more.
    mutating func forgetError() { error = nil }
}
