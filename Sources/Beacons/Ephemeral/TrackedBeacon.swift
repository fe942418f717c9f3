/// One beacon of an ``EphemeralResolver``: the estimated time of its clock, and its possible identifiers.
struct TrackedBeacon: Sendable {
    let identity: EphemeralIdentity
    /// The seconds by which the beacon's clock is estimated to be ahead of the caller's.
    private var aheadSeconds: Int64
    private let registeredAheadSeconds: Int64
    /// The rotations of ``identifiers``, one for each.
    private(set) var window: ClosedRange<UInt32>?
    private(set) var identifiers: [UInt64] = []
    private(set) var newestHeard: UInt32?
    /// The temporary key of the 2¹⁶ seconds that were computed last.
    private var temporary: (era: UInt32, key: AESBlock)?

    init(_ identity: EphemeralIdentity, aheadSeconds: Int64) {
        self.identity = identity
        (self.aheadSeconds, registeredAheadSeconds) = (aheadSeconds, aheadSeconds)
    }

    var driftSeconds: Int64 { aheadSeconds - registeredAheadSeconds }

    private var rotationSeconds: Int64 { 1 << Int64(identity.rotationExponent) }
    /// The last rotation of the beacon's time, which has 32 bits.
    private var lastRotation: Int64 { Int64(UInt32.max) >> Int64(identity.rotationExponent) }

    /// Computes the new identifiers in the window around now. Returns the caller's time at which the next
    /// rotation begins.
    mutating func slide(toSeconds nowSeconds: Int64, windowRotations: Int) -> Int64 {
        let centre = (nowSeconds + aheadSeconds) >> Int64(identity.rotationExponent)
        let deadline = (centre + 1) * rotationSeconds - aheadSeconds
        let reach = Int64(windowRotations)
        let first = UInt32(min(max(centre - reach, 0), lastRotation))
        let last = UInt32(min(max(centre + reach, 0), lastRotation))
        guard first...last != window else { return deadline }
        identifiers = (first...last).map { rotation in
            if let window, window.contains(rotation) { return identifiers[Int(rotation - window.lowerBound)] }
            return identifier(rotation)
        }
        window = first...last
        return deadline
    }

    /// Corrects the clock by a rotation that was heard, with the smallest step that explains it. Returns
    /// false, and corrects nothing, if a rotation at least as new was heard before.
    mutating func hear(_ rotation: UInt32, _ nowSeconds: Int64) -> Bool {
        if let newestHeard, rotation <= newestHeard { return false }
        newestHeard = rotation
        let first = Int64(rotation) * rotationSeconds
        let thought = nowSeconds + aheadSeconds
        let right = min(max(thought, first), first + rotationSeconds - 1)
        aheadSeconds += right - thought
        return true
    }

    func isLookedFor(_ rotation: UInt32) -> Bool { window?.contains(rotation) ?? false }

    /// The rotations in the window and their identifiers.
    var candidates: Zip2Sequence<ClosedRange<UInt32>, [UInt64]> { zip(window ?? 0...0, identifiers) }

    private mutating func identifier(_ rotation: UInt32) -> UInt64 {
        let seconds = rotation << UInt32(identity.rotationExponent)
        let era = seconds >> 16
        if temporary?.era != era { temporary = (era, identity.temporaryKey(atSeconds: seconds)) }
        guard let key = temporary?.key else { preconditionFailure("it was just made") }
        return identity.identifier(atSeconds: seconds, with: key).rawValue
    }
}
