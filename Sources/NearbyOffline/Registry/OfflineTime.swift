import Nearby

/// The present time by two clocks: the engine's, which never goes back, and the wall clock that devices
/// share.
public struct OfflineTime: Sendable, Hashable {
    /// The time of the engine's clock, which measures how long ago a device was heard.
    public var now: Instant
    /// The wall-clock time since 1970, UTC. That clock may be set.
    public var wall: Duration

    /// - Parameters:
    ///   - now: the time of the engine's clock.
    ///   - wall: the time of the shared clock at that moment.
    public init(now: Instant, wall: Duration) { (self.now, self.wall) = (now, wall) }

    /// Returns true if a wall clock has been set at all: devices without a battery start in 1970.
    static func isSet(_ wall: Duration) -> Bool { wall >= .seconds(firstSecondOf2026) }
    private static let firstSecondOf2026: Int64 = 1_767_225_600
    /// The text for a person when the clock has not been set.
    static let unsetClock =
        "the clock was never set: without a server devices agree by it, to 5 minutes; set it"

    /// Throws: `.notReady` if the wall clock was never set.
    package func checkClock() throws(RegistryError) {
        guard OfflineTime.isSet(wall) else { throw .notReady(OfflineTime.unsetClock) }
    }
}
