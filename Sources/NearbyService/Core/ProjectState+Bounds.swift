import Nearby

/// Bounds of a device's reports.
extension ProjectState {
    /// Before a report is read. Throws: `.unknown`, `.tooMuch`.
    mutating func spend(
        bytes count: Int, of secret: SecretHash, at client: ClientNetwork, now: Instant
    ) throws(ServiceRefusal) {
        guard members[secret] != nil else { throw .unknown }
        // More than there ever is at once would be waited for in vain.
        let amount = min(Double(max(0, count - settings.freeBytes)), settings.bytesPerDevice.atOnce)
        guard amount > 0 else { return }
        try refuse([
            (.bytesOfDevice, members[secret]!.bytes.wait(for: amount, settings.bytesPerDevice, now: now)),
            (.bytesOfProject, bytes.wait(for: amount, client, settings.bytesPerProject, now: now)),
        ])
        members[secret]!.bytes.spend(amount, settings.bytesPerDevice, now: now)
        bytes.spend(amount, client, settings.bytesPerProject, now: now)
    }

    /// Throws: `.tooMuch`, where any of them is to be waited for.
    private mutating func refuse(_ waits: [(ServiceLimit, Duration?)]) throws(ServiceRefusal) {
        guard let (limit, wait) = waits.max(by: { $0.1 ?? .zero < $1.1 ?? .zero }), let wait else { return }
        counts.refusals += 1
        throw .tooMuch(limit, retryAfter: wait)
    }

    /// Throws: `.tooMuch`.
    mutating func spend(
        _ report: Report, _ secret: SecretHash, _ client: ClientNetwork, _ now: Instant
    ) throws(ServiceRefusal) {
        try refuse([
            (.reportsOfDevice, members[secret]!.reports.wait(for: 1, settings.reportsPerDevice, now: now)),
            (.reportsOfProject, reports.wait(for: 1, client, settings.reportsPerProject, now: now)),
        ])
        members[secret]!.reports.spend(1, settings.reportsPerDevice, now: now)
        reports.spend(1, client, settings.reportsPerProject, now: now)
    }

    /// A wish over the budget is left out: the device has it again in its next report.
    mutating func limitWishes(of report: inout Report, from secret: SecretHash, now: Instant) {
        guard !report.wantsTokens.isEmpty else { return }
        if members[secret]!.grants.wait(for: 1, settings.grantsPerDevice, now: now) != nil {
            report.wantsTokens = []
        } else {
            members[secret]!.grants.spend(1, settings.grantsPerDevice, now: now)
        }
    }

    private var guessLimits: GuessLimits {
        GuessLimits(devices: members.count, expectedGuessesPerDay: settings.expectedGuessesPerDay)
    }

    /// After so many misses in its next report, a device's word alone brings nobody near. What is over a budget is not refused: see
    /// ``RegistryState/report(_:from:missLimit:now:)``.
    mutating func missLimit(of secret: SecretHash, _ client: ClientNetwork, _ now: Instant) -> Int {
        let limits = guessLimits
        let isFree = misses.wait(for: 1, client, limits.project, now: now) == nil
        return members[secret]!.guesses.missLimit(limits, isProjectFree: isFree, now: now)
    }

    mutating func note(
        _ answer: Answer, _ secret: SecretHash, _ client: ClientNetwork, _ now: Instant
    ) {
        let count = Double(answer.verdicts.values.count { $0 == .invalid })
        guard count > 0, members[secret] != nil else { return }
        let limits = guessLimits
        members[secret]!.guesses.note(count, limits, now: now)
        misses.spend(count, client, limits.project, now: now)
    }
}
