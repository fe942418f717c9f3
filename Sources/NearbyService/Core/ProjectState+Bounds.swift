import Nearby

/// The bounds on a device's reports.
extension ProjectState {
    /// Charges the budgets with the bytes of a report before it is read. Throws: `.unknown`, `.tooMuch`.
    mutating func spend(
        bytes count: Int, of secret: SecretHash, at client: ClientNetwork, now: Instant
    ) throws(ServiceRefusal) {
        guard let device = devices[secret] else { throw .unknown }
        // An amount larger than the whole budget would never become available.
        let amount = min(Double(max(0, count - settings.freeBytes)), settings.bytesPerDevice.atOnce)
        guard amount > 0 else { return }
        try refuse(
            (.bytesOfDevice, members[device]!.bytes.wait(for: amount, settings.bytesPerDevice, now: now)),
            (.bytesOfProject, bytes.wait(for: amount, client, settings.bytesPerProject, now: now)))
        members[device]!.bytes.spend(amount, settings.bytesPerDevice, now: now)
        bytes.spend(amount, client, settings.bytesPerProject, now: now)
    }

    /// Throws: `.tooMuch` if any of these budgets requires a wait.
    private mutating func refuse(
        _ one: (ServiceLimit, Duration?), _ other: (ServiceLimit, Duration?)
    ) throws(ServiceRefusal) {
        let (limit, wait) = one.1 ?? .zero < other.1 ?? .zero ? other : one
        guard let wait else { return }
        counts.refusals += 1
        throw .tooMuch(limit, retryAfter: wait)
    }

    /// Charges the budgets with one report. Throws: `.tooMuch`.
    mutating func spend(
        _ report: Report, _ device: RegistryState.DeviceID, _ client: ClientNetwork, _ now: Instant
    ) throws(ServiceRefusal) {
        try refuse(
            (.reportsOfDevice, members[device]!.reports.wait(for: 1, settings.reportsPerDevice, now: now)),
            (.reportsOfProject, reports.wait(for: 1, client, settings.reportsPerProject, now: now)))
        members[device]!.reports.spend(1, settings.reportsPerDevice, now: now)
        reports.spend(1, client, settings.reportsPerProject, now: now)
    }

    /// Returns the rank of a device among those that come back at once: live if another device is near it,
    /// new if it has reported nothing yet.
    func rank(of secret: SecretHash) -> Admission.Rank {
        guard let device = devices[secret], let member = members[device] else { return .new }
        if registry.isNearAny(device) { return .live }
        return member.number == nil && !member.isRestored ? .new : .idle
    }

    /// Removes a request for tokens that exceeds the budget. The device repeats it in its next report.
    mutating func limitWishes(of report: inout Report, from device: RegistryState.DeviceID, now: Instant) {
        guard !report.wantsTokens.isEmpty || !report.playing.isEmpty,
            members[device]!.grants.wait(for: 1, settings.grantsPerDevice, now: now) != nil
        else { return }
        report.wantsTokens = []
        // Otherwise it would get tokens in place of wrong ones that it says it sends.
        report.takesTokensAhead = false
    }

    /// Charges the budget with the tokens of an answer.
    mutating func spendWishes(_ answer: Answer, of device: RegistryState.DeviceID, now: Instant) {
        guard !answer.grants.isEmpty else { return }
        members[device]?.grants.spend(1, settings.grantsPerDevice, now: now)
    }

    private var guessLimits: GuessLimits {
        GuessLimits(devices: members.count, expectedGuessesPerDay: settings.expectedGuessesPerDay)
    }

    /// Returns the number of misses in the device's next report after which the device's word alone is no
    /// evidence that another device is near. A report over a budget is not refused: see
    /// ``RegistryState/report(_:from:missLimit:now:)``.
    mutating func missLimit(
        of device: RegistryState.DeviceID, _ client: ClientNetwork, _ now: Instant
    ) -> Int {
        let limits = guessLimits
        let isFree = misses.wait(for: 1, client, limits.project, now: now) == nil
        return members[device]!.guesses.missLimit(limits, isProjectFree: isFree, now: now)
    }

    mutating func note(
        _ answer: Answer, _ device: RegistryState.DeviceID, _ client: ClientNetwork, _ now: Instant
    ) {
        let count = Double(answer.verdicts.values.count { $0 == .invalid })
        guard count > 0, members[device] != nil else { return }
        let limits = guessLimits
        members[device]!.guesses.note(count, limits, now: now)
        misses.spend(count, client, limits.project, now: now)
    }
}
