/// A resolver that finds which of many beacons sent an identifier, although none of their clocks is right.
///
/// A table holds, for each beacon, the identifiers of the expected rotation and of some before and after it.
/// When a rotation ends, one identifier is removed and the next one added. If a beacon is heard in another
/// rotation than expected, its clock is corrected by the smallest step that explains it. Only a rotation
/// newer than all heard before does so, so a replayed recording does not.
///
/// The time is the caller's, in seconds, and may go back. Complexity: one table access for an identifier; one
/// or two AES blocks for a rotation of a beacon; one look at every beacon for each second in which it is
/// asked. `Tools/bench/beacons` measures them.
public struct EphemeralResolver: Sendable {
    /// The number of a beacon in this resolver; it is never reused.
    public struct BeaconID: Hashable, Sendable {
        let index: Int
    }

    /// A beacon that an identifier belongs to.
    public struct Match: Hashable, Sendable {
        /// The beacon, as ``EphemeralResolver/register(_:beaconSeconds:nowSeconds:)`` numbered it.
        public let beacon: BeaconID
        /// The time at which the rotation begins, on the beacon's own clock.
        public let rotationStartSeconds: UInt32
        /// The seconds by which the beacon's clock is now ahead of the registered time; negative if it is
        /// behind.
        public let driftSeconds: Int64
        /// True if a later rotation was heard before: an echo of the last seconds, or a replayed recording.
        public let isOlderThanHeard: Bool
    }

    private struct Entry {
        let beacon: Int32
        let rotation: UInt32
    }

    /// The number of rotations before and after the expected one that are in the table.
    public let windowRotations: Int
    private var beacons: [TrackedBeacon?] = []
    /// The caller's time at which each beacon's next rotation begins. It is stored apart from the beacons, so
    /// that a scan of all is quick.
    private var deadlines: [Int64] = []
    private var table: [UInt64: Entry] = [:]
    private var indices: [EphemeralIdentity: Int] = [:]
    private var now: Int64 = .min

    /// - Parameter windowRotations: 0 or more. A clock that is wrong by 20 ppm loses one rotation of 1024 s
    ///   in 592 days without reception.
    public init(windowRotations: Int = 1) {
        precondition(windowRotations >= 0, "a window of \(windowRotations) rotations")
        self.windowRotations = windowRotations
    }

    /// The number of registered beacons.
    public var count: Int { indices.count }
    /// The number of identifiers in the table.
    public var identifierCount: Int { table.count }

    /// Registers a beacon; returns `nil` if it is already registered.
    ///
    /// - Parameter beaconSeconds: the beacon's own time now.
    public mutating func register(
        _ identity: EphemeralIdentity, beaconSeconds: UInt32, nowSeconds: Int64
    ) -> BeaconID? {
        guard indices[identity] == nil else { return nil }
        advance(to: nowSeconds)
        let index = beacons.count
        indices[identity] = index
        beacons.append(TrackedBeacon(identity, aheadSeconds: Int64(beaconSeconds) - nowSeconds))
        deadlines.append(.min)
        slide(index, nowSeconds)
        return BeaconID(index: index)
    }

    /// Removes a beacon; does nothing if it is not registered.
    public mutating func remove(_ beacon: BeaconID) {
        guard beacons.indices.contains(beacon.index), let tracked = beacons[beacon.index] else { return }
        for (rotation, identifier) in tracked.candidates {
            forget(identifier, beacon.index, rotation)
        }
        indices[tracked.identity] = nil
        beacons[beacon.index] = nil
        deadlines[beacon.index] = .max
    }

    /// Returns the beacon of an identifier; `nil` if no registered beacon sends it, or if the beacon's clock
    /// is wrong by more than the window.
    public mutating func resolve(_ identifier: EphemeralIdentifier, nowSeconds: Int64) -> Match? {
        advance(to: nowSeconds)
        guard let entry = table[identifier.rawValue] else { return nil }
        let index = Int(entry.beacon)
        guard var tracked = beacons[index] else { return nil }
        let isOlder = tracked.newestHeard.map { entry.rotation < $0 } ?? false
        if tracked.hear(entry.rotation, nowSeconds) {
            beacons[index] = tracked
            slide(index, nowSeconds)
        }
        return Match(
            beacon: BeaconID(index: index),
            rotationStartSeconds: entry.rotation << UInt32(tracked.identity.rotationExponent),
            driftSeconds: tracked.driftSeconds, isOlderThanHeard: isOlder)
    }

    /// Returns the identity of a beacon; `nil` if it is not registered. The identity and the rotation open
    /// the beacon's telemetry.
    public func identity(of beacon: BeaconID) -> EphemeralIdentity? {
        beacons.indices.contains(beacon.index) ? beacons[beacon.index]?.identity : nil
    }

    /// Moves all windows that are due. A call with the same time costs nothing.
    private mutating func advance(to nowSeconds: Int64) {
        guard nowSeconds != now else { return }
        let isBack = nowSeconds < now
        now = nowSeconds
        for index in deadlines.indices where deadlines[index] <= nowSeconds || isBack {
            slide(index, nowSeconds)
        }
    }

    /// Moves a beacon's window to the given time.
    private mutating func slide(_ index: Int, _ nowSeconds: Int64) {
        guard var tracked = beacons[index] else { return }
        let old = tracked
        deadlines[index] = tracked.slide(toSeconds: nowSeconds, windowRotations: windowRotations)
        if tracked.window != old.window {
            for (rotation, identifier) in old.candidates where !tracked.isLookedFor(rotation) {
                forget(identifier, index, rotation)
            }
            for (rotation, identifier) in tracked.candidates
            where !old.isLookedFor(rotation) && table[identifier] == nil {
                table[identifier] = Entry(beacon: Int32(index), rotation: rotation)
            }
        }
        beacons[index] = tracked
    }

    private mutating func forget(_ identifier: UInt64, _ index: Int, _ rotation: UInt32) {
        guard let entry = table[identifier], entry.beacon == index, entry.rotation == rotation else { return }
        table[identifier] = nil
    }
}
