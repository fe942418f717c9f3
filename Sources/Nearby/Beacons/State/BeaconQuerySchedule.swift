/// When to ask a ``BeaconRegistry``, and what: one question at a time, not too soon after the one before, later and later while
/// nobody answers. A new beacon is asked about at once; those that come meanwhile wait for the next question, together.
struct BeaconQuerySchedule: Sendable {
    static let batchLimit = 256

    private let settings: EngineSettings
    private(set) var inFlight: BeaconQuery?
    /// Something may have to be asked.
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

    /// In turn: none of them keeps the others waiting.
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

    /// Nobody looks for beacons any more.
    mutating func forgetError() { error = nil }
}
