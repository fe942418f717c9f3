import Beacons

/// How a beacon of changing names is known again: its key, and what its clock said when.
public struct EphemeralRegistration: Sendable, Hashable {
    /// Its key, and how often it changes its name.
    public var identity: EphemeralIdentity
    /// Of the beacon's own clock, at ``registeredUnixSeconds``.
    public var clockSeconds: UInt32
    /// When the clock said that, in seconds since 1970.
    public var registeredUnixSeconds: Int64

    /// As given; ``check(_:)`` compares it with what the beacon sends.
    public init(_ identity: EphemeralIdentity, clockSeconds: UInt32, registeredUnixSeconds: Int64) {
        (self.identity, self.clockSeconds) = (identity, clockSeconds)
        self.registeredUnixSeconds = registeredUnixSeconds
    }

    /// - Parameter initial: what the beacon called itself then, if that is known.
    ///
    /// Throws: it is not what the key makes of that time.
    public func check(_ initial: EphemeralIdentifier?) throws(BeaconProblem) {
        let computed = identity.identifier(atSeconds: clockSeconds)
        if let initial, initial != computed {
            throw BeaconProblem(
                "at \(clockSeconds) s of its clock this key makes \(computed), not \(initial): another key, "
                    + "rotation exponent or time")
        }
    }

    /// How far its clock was found to be ahead, once it was; 0 where that was of another registration, before a battery was changed say.
    func driftSeconds(_ found: BeaconDrift?) -> Int64 {
        found?.registeredUnixSeconds == registeredUnixSeconds ? found?.seconds ?? 0 : 0
    }

    /// What its clock says by now: 32 bits, as the beacon has them.
    ///
    /// - Parameter driftSeconds: that it was found to be ahead of what was registered.
    func clockSeconds(atUnixSeconds now: Int64, driftSeconds: Int64) -> UInt32 {
        let (elapsed, isBeyond) = now.subtractingReportingOverflow(registeredUnixSeconds)
        let (seconds, isAlsoBeyond) = elapsed.addingReportingOverflow(Int64(clockSeconds))
        let (drifted, isToo) = seconds.addingReportingOverflow(driftSeconds)
        guard !isBeyond, !isAlsoBeyond, !isToo else { return clockSeconds }
        return UInt32(clamping: drifted)
    }
}

/// How far a beacon's clock was found to be ahead of what was registered, and when that was.
public struct BeaconDrift: Sendable, Hashable {
    /// How far ahead; negative when it was behind.
    public var seconds: Int64
    /// Tells which registration it was measured against; for a later one it does not count.
    public var registeredUnixSeconds: Int64

    /// - Parameters:
    ///   - seconds: negative when it was behind.
    ///   - registeredUnixSeconds: ``EphemeralRegistration/registeredUnixSeconds`` of what it was measured
    ///     against.
    public init(seconds: Int64, registeredUnixSeconds: Int64) {
        (self.seconds, self.registeredUnixSeconds) = (seconds, registeredUnixSeconds)
    }
}
