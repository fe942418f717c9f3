/// The part that replaces tokens unasked: a device whose stream is open need not ask for each of them.
///
///     stream    ──────────t2────────────────t3──────────────→
///     on air    t1 ────────┴t2 ──────────────┴t3 ────────────
///               60 to 300 s, drawn     60 to 300 s, drawn
extension RegistryState {
    /// Notes on which media a device broadcasts. The time of the next rotation counts from the tokens that
    /// the device asked for last.
    mutating func notePlaying(_ report: Report, of id: DeviceID, now: Instant) {
        guard report.observationsAreComplete else { return }
        devices[id]!.playing = Set(report.playing.map { $0.medium })
        if !report.wantsTokens.isEmpty { devices[id]!.rotation = nil }
        planRotation(of: id, now: now)
    }

    /// Plans the next rotation of a device that has tokens on air and an open stream; of all others, none.
    mutating func planRotation(of id: DeviceID, now: Instant) {
        guard let device = devices[id], device.getsTokensUnasked, !device.playing.isEmpty
        else {
            devices[id]?.rotation = nil
            return
        }
        guard device.rotation == nil else { return }
        let time = now + random.nextDuration(in: settings.rotation)
        devices[id]!.rotation = time
        rotations.add(id, at: time)
    }

    /// Replaces all tokens of a device, if that is still due.
    mutating func rotate(_ id: DeviceID, now: Instant, _ news: inout RegistryEvents) {
        // The queue may still hold the time of a rotation that was planned anew.
        guard let time = devices[id]?.rotation, time <= now else { return }
        devices[id]!.rotation = nil
        for medium in devices[id]!.playing.ordered() {
            let (new, old) = tokens.replace(
                of: id, medium, now: now, life: settings.tokenLife, grace: settings.grace, random: &random)
            if let old { proximity.limit(old, of: id, to: now + settings.grace + settings.shortestLoss) }
            news.answers[id, default: Answer()].grants.append(
                .init(
                    new, on: medium, timeToLive: settings.tokenLife,
                    renewedWithin: settings.rotation.upperBound))
        }
        planRotation(of: id, now: now)
    }
}
