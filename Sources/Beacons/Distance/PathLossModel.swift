import Glibc

/// A model of the fall of power with distance: P(d) = P(1 m) − 10 · exponent · log₁₀(d / 1 m).
///
/// Reference: Rappaport, "Wireless Communications", 2nd edition, section 4.9 (log-distance path loss with
/// log-normal shadowing).
public struct PathLossModel: Hashable, Sendable {
    /// The path-loss exponent: 2 in free space, 1.6 to 1.8 along corridors, 3 and more through walls and
    /// people.
    public var exponent: Double
    /// The standard deviation of the loss or gain from walls, bodies and pockets, as long as nobody moves.
    public var shadowingDecibels: Double
    /// The standard deviation of one sighting about that level, from echoes, and from three channels that
    /// each have their own.
    public var fadingDecibels: Double

    /// Creates a model. By default power falls as in free space, and walls, bodies and echoes spread it about
    /// that.
    ///
    /// Precondition: the exponent is positive, no deviation is negative.
    public init(exponent: Double = 2, shadowingDecibels: Double = 6, fadingDecibels: Double = 5.6) {
        precondition(exponent > 0 && shadowingDecibels >= 0 && fadingDecibels >= 0, "a model of \(exponent)")
        (self.exponent, self.shadowingDecibels) = (exponent, shadowingDecibels)
        self.fadingDecibels = fadingDecibels
    }

    /// Returns the distance at which that power is received, if nothing is in the way.
    public func meters(rssiDBm: Double, reference: ReferencePower) -> Double {
        pow(10, (Double(reference.atOneMeterDBm) - rssiDBm) / (10 * exponent))
    }

    /// Returns the power that is received at that distance, if nothing is in the way. Inverse of
    /// ``meters(rssiDBm:reference:)``.
    public func rssiDBm(meters: Double, reference: ReferencePower) -> Double {
        Double(reference.atOneMeterDBm) - 10 * exponent * log10(meters)
    }

    /// Returns the standard deviation of the median of `count` sightings.
    func spreadDecibels(count: Int) -> Double {
        // For many normal samples the median's variance is π/2 times the mean's; for one sample both are
        // equal.
        let fading = fadingDecibels * fadingDecibels * (count > 2 ? Double.pi / 2 : 1) / Double(count)
        return (shadowingDecibels * shadowingDecibels + fading).squareRoot()
    }
}
