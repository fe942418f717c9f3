import NearbyService

/// The health of the store. It tries to write, and limits how often it does so.
actor Health {
    /// The time for which a good answer holds.
    private static let patience = Duration.seconds(3)
    /// The time for which a bad answer holds; it is short because an operator who repairs the store waits for
    /// the next.
    private static let impatience = Duration.seconds(1)

    private let service: NearbyService
    private var last: (start: ContinuousClock.Instant, answer: Task<String?, Never>)?
    private var isBad = false

    init(service: NearbyService) { self.service = service }

    /// Returns the reason for which reports cannot be stored; `nil` if they can. Simultaneous callers wait
    /// for one answer.
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
