import Glibc

/// How power falls with distance: P(d) = P(1 m) − 10 · exponent · log₁₀(d / 1 m).
///
/// Reference: Rappaport, "Wireless Communications", 2nd edition, section 4.9 (log-distance path loss with log-normal shadowing).
public struct PathLossModel: Hashable, Sendable {
    /// 2 in free space, 1.6 to 1.8 along corridors, 3 and more through walls and people.
    public var exponent: Double
    /// Standard deviation of what walls, bodies and pockets add or take, as long as nobody moves.
    public var shadowingDecibels: Double
    /// Standard deviation of one sighting about that: echoes, and three channels that each have their own.
    public var fadingDecibels: Double

    /// By default power falls as in free space, and walls, bodies and echoes spread it about that.
    ///
    /// Precondition: the exponent is positive, no deviation is negative.
    public init(exponent: Double = 2, shadowingDecibels: Double = 6, fadingDecibels: Double = 5.6) {
        precondition(exponent > 0 && shadowingDecibels >= 0 && fadingDecibels >= 0, "a model of \(exponent)")
        (self.exponent, self.shadowingDecibels) = (exponent, shadowingDecibels)
        self.fadingDecibels = fadingDecibels
    }

    /// Where that power is received, if nothing is in the way.
    public func meters(rssiDBm: Double, reference: ReferencePower) -> Double {
        pow(10, (Double(reference.atOneMeterDBm) - rssiDBm) / (10 * exponent))
    }

    /// What is received there, if nothing is in the way. Opposite of ``meters(rssiDBm:reference:)``.
    public func rssiDBm(meters: Double, reference: ReferencePower) -> Double {
        Double(reference.atOneMeterDBm) - 10 * exponent * log10(meters)
    }

    /// Standard deviation of the median of `count` sightings.
    func spreadDecibels(count: Int) -> Double {
        // Of many normal ones, the median's variance is π/2 of the mean's; of one, it is that one.
        let fading = fadingDecibels * fadingDecibels * (count > 2 ? Double.pi / 2 : 1) / Double(count)
        return (shadowingDecibels * shadowingDecibels + fading).squareRoot()
    }
}
