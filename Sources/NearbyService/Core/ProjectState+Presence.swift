import Nearby

/// The part that notes whether devices are there, and what goes to them by their streams.
extension ProjectState {
    /// Notes that a device has opened a stream of events. Returns the longest time to its next report; `nil`
    /// if its reports still have to show that it is there.
    ///
    /// - Parameter isDirect: false if a proxy or another instance holds the stream.
    package mutating func beginStream(of secret: SecretHash, isDirect: Bool, now: Instant) -> Duration? {
        guard let member = members[secret] else { return nil }
        return registry.beginStream(of: member.device, isDirect: isDirect, now: now)
    }

    /// Notes that the stream of a device has ended.
    ///
    /// - Parameter isDead: true if the device did not answer any more.
    package mutating func endStream(of secret: SecretHash, isDead: Bool, now: Instant) {
        guard let member = members[secret] else { return }
        if isDead { counts.deadStreams += 1 } else { counts.closedStreams += 1 }
        registry.endStream(of: member.device, isDead: isDead, now: now)
    }

    /// Returns what is to be sent to the device unasked and once, beside its news.
    package mutating func takePushed(of secret: SecretHash) -> Answer {
        defer { members[secret]?.pushed = Answer() }
        return members[secret]?.pushed ?? Answer()
    }

    /// Returns true if the device hears another one, so that its silence must be noticed soon.
    func hearsAny(_ secret: SecretHash) -> Bool {
        members[secret].map { registry.hearsAny($0.device) } ?? false
    }
}
