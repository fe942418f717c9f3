/// Finds which of many beacons sent an identifier, though none of their clocks is right.
///
/// For each beacon the identifiers of the rotation it should be in, and of some before and after, stand in a table. When a rotation
/// ends, one is taken out and the next put in. A beacon that is heard in another rotation than expected has its clock set right, as
/// little as explains it; only a rotation newer than all heard does that, so what somebody recorded and plays again does not.
///
/// Time is the caller's, in seconds, and may go back. Complexity: an identifier, a look into a table; a rotation of a beacon, one or
/// two AES blocks; each second in which it is asked, a look at every beacon. `Tools/bench/beacons` measures them.
public struct EphemeralResolver: Sendable {
    /// Names a beacon to this resolver; not given to another one again.
    public struct BeaconID: Hashable, Sendable {
        let index: Int
    }

    /// Whose an identifier is.
    public struct Match: Hashable, Sendable {
        /// As ``EphemeralResolver/register(_:beaconSeconds:nowSeconds:)`` named it.
        public let beacon: BeaconID
        /// The beacon's own time at which the rotation begins.
        public let rotationStartSeconds: UInt32
        /// How far its clock now is ahead of what was registered; negative when it is behind.
        public let driftSeconds: Int64
        /// Whether a later rotation was heard before: an echo of the last seconds, or somebody plays a recording.
        public let isOlderThanHeard: Bool
    }

    private struct Entry {
        let beacon: Int32
        let rotation: UInt32
    }

    /// Rotations looked for before and after the one that should be.
    public let windowRotations: Int
    private var beacons: [TrackedBeacon?] = []
    /// Caller's time at which the beacon's next rotation begins; beside the beacons, so that a look at all is quick.
    private var deadlines: [Int64] = []
    private var table: [UInt64: Entry] = [:]
    private var indices: [EphemeralIdentity: Int] = [:]
    private var now: Int64 = .min

    /// - Parameter windowRotations: 0 or more. One rotation of 1024 s is what a clock wrong by 20 ppm loses in 592 days without
    ///   being heard.
    public init(windowRotations: Int = 1) {
        precondition(windowRotations >= 0, "a window of \(windowRotations) rotations")
        self.windowRotations = windowRotations
    }

    /// Beacons that are registered.
    public var count: Int { indices.count }
    /// Identifiers that are looked for.
    public var identifierCount: Int { table.count }

    /// Nil where it is registered already.
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

    /// Nothing happens where it is not registered.
    public mutating func remove(_ beacon: BeaconID) {
        guard beacons.indices.contains(beacon.index), let tracked = beacons[beacon.index] else { return }
        for (rotation, identifier) in tracked.candidates {
            forget(identifier, beacon.index, rotation)
        }
        indices[tracked.identity] = nil
        beacons[beacon.index] = nil
        deadlines[beacon.index] = .max
    }

    /// Nil for an identifier of no beacon that is registered, or of one whose clock is wrong by more than the window.
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

    /// The identity and the rotation are what opens a beacon's telemetry.
    public func identity(of beacon: BeaconID) -> EphemeralIdentity? {
        beacons.indices.contains(beacon.index) ? beacons[beacon.index]?.identity : nil
    }

    /// Time that stands still costs nothing.
    private mutating func advance(to nowSeconds: Int64) {
        guard nowSeconds != now else { return }
        let isBack = nowSeconds < now
        now = nowSeconds
        for index in deadlines.indices where deadlines[index] <= nowSeconds || isBack {
            slide(index, nowSeconds)
        }
    }

    /// Puts a beacon's window where it belongs.
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
