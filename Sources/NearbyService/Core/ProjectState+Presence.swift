import Nearby

/// The part that notes whether devices are there, and what goes to them by their streams.
extension ProjectState {
    /// Notes that a device has opened a stream of events. Returns the longest time to its next report; `nil`
    /// if its reports still have to show that it is there.
    ///
    /// - Parameter isDirect: false if a proxy or another instance holds the stream.
    package mutating func beginStream(of secret: SecretHash, isDirect: Bool, now: Instant) -> Duration? {
        guard let device = devices[secret] else { return nil }
        return registry.beginStream(of: device, isDirect: isDirect, now: now)
    }

    /// Notes that the stream of a device has ended.
    ///
    /// - Parameter isDead: true if the device did not answer any more.
    package mutating func endStream(of secret: SecretHash, isDead: Bool, now: Instant) {
        guard let device = devices[secret] else { return }
        if isDead { counts.deadStreams += 1 } else { counts.closedStreams += 1 }
        registry.endStream(of: device, isDead: isDead, now: now)
    }

    /// The part of a device's events that goes down its stream.
    package struct Events: Sendable {
        /// The deliveries, and what is sent unasked.
        package var answer: Answer
        /// The number of the last delivery.
        var last: Int64
        /// True if the device hears another one.
        var hearsAny = false
    }

    /// Returns the events of a device after a number, with what is sent unasked and once. `nil` if there is
    /// no such device.
    package mutating func takeEvents(of secret: SecretHash, after number: Int64) -> Events? {
        guard let device = devices[secret], var events = members[device]?.takeEvents(after: number) else {
            return nil
        }
        events.hearsAny = registry.hearsAny(device)
        return events
    }
}
