import Beacons

/// The registration of a beacon of changing names: its key, and the state of its clock at a known time.
package struct EphemeralRegistration: Sendable, Hashable {
    /// The beacon's key and the interval at which it changes its name.
    package var identity: EphemeralIdentity
    /// The time of the beacon's own clock at ``registeredUnixSeconds``.
    package var clockSeconds: UInt32
    /// The wall time at which the beacon's clock showed ``clockSeconds``, in seconds since 1970.
    package var registeredUnixSeconds: Int64

    /// Creates a registration without checking it. ``check(_:)`` compares it with what the beacon sends.
    package init(_ identity: EphemeralIdentity, clockSeconds: UInt32, registeredUnixSeconds: Int64) {
        (self.identity, self.clockSeconds) = (identity, clockSeconds)
        self.registeredUnixSeconds = registeredUnixSeconds
    }

    /// - Parameter initial: the identifier that the beacon sent at that time, if it is known.
    ///
    /// Throws: an error if the key does not yield this identifier at that time.
    package func check(_ initial: EphemeralIdentifier?) throws(BeaconProblem) {
        let computed = identity.identifier(atSeconds: clockSeconds)
        if let initial, initial != computed {
            throw BeaconProblem(
                "at \(clockSeconds) s of its clock this key makes \(computed), not \(initial): another key, "
                    + "rotation exponent or time")
        }
    }

    /// Returns the measured drift of the beacon's clock in seconds, positive if the clock is ahead. Returns 0
    /// if there is no measurement, or if it belongs to another registration, for example to one before a
    /// change of battery.
    func driftSeconds(_ found: BeaconDrift?) -> Int64 {
        found?.registeredUnixSeconds == registeredUnixSeconds ? found?.seconds ?? 0 : 0
    }

    /// Returns the time of the beacon's clock at a wall time, clamped to the 32 bits that the beacon has.
    ///
    /// - Parameter driftSeconds: the measured lead of the clock over the registration.
    func clockSeconds(atUnixSeconds now: Int64, driftSeconds: Int64) -> UInt32 {
        let (elapsed, isBeyond) = now.subtractingReportingOverflow(registeredUnixSeconds)
        let (seconds, isAlsoBeyond) = elapsed.addingReportingOverflow(Int64(clockSeconds))
        let (drifted, isToo) = seconds.addingReportingOverflow(driftSeconds)
        guard !isBeyond, !isAlsoBeyond, !isToo else { return clockSeconds }
        return UInt32(clamping: drifted)
    }
}

/// The drift of a beacon's clock relative to its registration, and the registration against which it was
/// measured.
package struct BeaconDrift: Sendable, Hashable {
    /// The lead of the clock in seconds; negative if it is behind.
    package var seconds: Int64
    /// The ``EphemeralRegistration/registeredUnixSeconds`` of the registration against which the drift was
    /// measured. The drift does not apply to a later registration.
    package var registeredUnixSeconds: Int64

    /// - Parameters:
    ///   - seconds: the lead of the clock in seconds; negative if it is behind.
    ///   - registeredUnixSeconds: the ``EphemeralRegistration/registeredUnixSeconds`` of the registration
    ///     against which the drift was measured.
    package init(seconds: Int64, registeredUnixSeconds: Int64) {
        (self.seconds, self.registeredUnixSeconds) = (seconds, registeredUnixSeconds)
    }
}
