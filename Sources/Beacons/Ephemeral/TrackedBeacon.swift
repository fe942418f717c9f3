/// One beacon of an ``EphemeralResolver``: what its clock is thought to say, and what it may call itself.
struct TrackedBeacon: Sendable {
    let identity: EphemeralIdentity
    /// Of the beacon's clock, ahead of the caller's.
    private var aheadSeconds: Int64
    private let registeredAheadSeconds: Int64
    /// Rotations of ``identifiers``, one for each.
    private(set) var window: ClosedRange<UInt32>?
    private(set) var identifiers: [UInt64] = []
    private(set) var newestHeard: UInt32?
    /// Of the 2¹⁶ seconds that were computed last.
    private var temporary: (era: UInt32, key: AESBlock)?

    init(_ identity: EphemeralIdentity, aheadSeconds: Int64) {
        self.identity = identity
        (self.aheadSeconds, registeredAheadSeconds) = (aheadSeconds, aheadSeconds)
    }

    var driftSeconds: Int64 { aheadSeconds - registeredAheadSeconds }

    private var rotationSeconds: Int64 { 1 << Int64(identity.rotationExponent) }
    /// Its time has 32 bits.
    private var lastRotation: Int64 { Int64(UInt32.max) >> Int64(identity.rotationExponent) }

    /// Computes what is new in the window around now. Returns the caller's time at which the next rotation begins.
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

    /// Sets the clock by a rotation that was heard, as little as explains it, if none as new was heard. Returns whether it is another now.
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

    /// What it may call itself, and in which rotation.
    var candidates: Zip2Sequence<ClosedRange<UInt32>, [UInt64]> { zip(window ?? 0...0, identifiers) }

    private mutating func identifier(_ rotation: UInt32) -> UInt64 {
        let seconds = rotation << UInt32(identity.rotationExponent)
        let era = seconds >> 16
        if temporary?.era != era { temporary = (era, identity.temporaryKey(atSeconds: seconds)) }
        guard let key = temporary?.key else { preconditionFailure("it was just made") }
        return identity.identifier(atSeconds: seconds, with: key).rawValue
    }
}
