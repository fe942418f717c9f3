import NearbyService

/// Whether reports can be kept. It is tried, by writing: not more often than those who watch the server need.
actor Health {
    /// A good answer holds so long.
    private static let patience = Duration.seconds(3)
    /// A bad one: whoever repairs the store waits for the next.
    private static let impatience = Duration.seconds(1)

    private let service: NearbyService
    private var last: (start: ContinuousClock.Instant, answer: Task<String?, Never>)?
    private var isBad = false

    init(service: NearbyService) { self.service = service }

    /// Why reports cannot be kept; nil when they can. All who ask at once wait for one answer.
    func problem() async -> String? {
        if let last, last.start.duration(to: .now) < (isBad ? Health.impatience : Health.patience) {
            return await last.answer.value
        }
        let answer = Task { [service] in await service.storeProblem() }
        last = (.now, answer)
        let problem = await answer.value
        isBad = problem != nil
        return problem
    }
}
