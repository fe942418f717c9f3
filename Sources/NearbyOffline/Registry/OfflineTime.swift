import Nearby

/// Now, by two clocks: the engine's, which only goes on, and the one that devices share.
public struct OfflineTime: Sendable, Hashable {
    /// By the engine's clock: how long ago a device was heard is told by it.
    public var now: Instant
    /// Since 1970, UTC; may be set.
    public var wall: Duration

    /// - Parameters:
    ///   - now: of the engine's clock.
    ///   - wall: what the shared clock says at that moment.
    public init(now: Instant, wall: Duration) { (self.now, self.wall) = (now, wall) }

    /// Whether a wall clock has been set at all: devices without a battery begin in 1970.
    static func isSet(_ wall: Duration) -> Bool { wall >= .seconds(firstSecondOf2026) }
    private static let firstSecondOf2026: Int64 = 1_767_225_600
    /// What a person is told when it has not been.
    static let unsetClock =
        "the clock was never set: without a server devices agree by it, to 5 minutes; set it"

    /// Throws: `.notReady`, when the wall clock was never set.
    package func checkClock() throws(RegistryError) {
        guard OfflineTime.isSet(wall) else { throw .notReady(OfflineTime.unsetClock) }
    }
}
