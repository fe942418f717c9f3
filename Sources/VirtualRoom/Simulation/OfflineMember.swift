import Nearby
import NearbyOffline
import Signal

/// The settings of a simulated device that uses a registry of its own: its project's key, and the publishers
/// that it trusts.
package struct OfflineMember: Sendable {
    package var project: OfflineProject
    /// The key that signs its publications; `nil` if they are not signed.
    package var signer: PublisherKey?
    package var trust: OfflineTrust
    package var settings: OfflineSettings
    /// The amount by which its wall clock is ahead.
    package var clockError: Duration

    package init(
        _ project: OfflineProject, signer: PublisherKey? = nil, trust: OfflineTrust = .members,
        settings: OfflineSettings = OfflineSettings(), clockError: Duration = .zero
    ) {
        (self.project, self.signer, self.trust) = (project, signer, trust)
        (self.settings, self.clockError) = (settings, clockError)
    }
}

/// A member's registry with a wall clock.
struct OfflineRegistryDriver: Sendable {
    private(set) var state: OfflineState
    private let clockError: Duration

    /// The wall clocks' time at the start of a simulation: an epoch of 300 s ends after half a minute.
    private static let wallAtStart = Duration.seconds(1_767_225_600 + 270)

    init(_ member: OfflineMember, seed: UInt64) {
        state = OfflineState(
            member.project, signer: member.signer, trust: member.trust, settings: member.settings,
            random: SplitMix64(seed: seed))
        clockError = member.clockError
    }

    private func time(_ now: Instant) -> OfflineTime {
        OfflineTime(now: now, wall: OfflineRegistryDriver.wallAtStart + now.offset + clockError)
    }

    /// Returns the events that the registry reports by itself; `nil` if nothing is due yet.
    mutating func advance(to now: Instant) -> Answer? {
        guard let deadline = state.nextDeadline, deadline <= now else { return nil }
        return state.advance(to: time(now))
    }

    mutating func report(
        _ report: Report, at now: Instant
    ) throws(RegistryError) -> (answer: Answer, events: Answer) {
        try state.report(report, at: time(now))
    }
}
