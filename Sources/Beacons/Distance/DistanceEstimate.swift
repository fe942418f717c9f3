/// How far away a beacon is, about.
public struct DistanceEstimate: Hashable, Sendable {
    /// What the distance is good for: rarely for more.
    public enum Proximity: String, Hashable, Sendable {
        /// Within half a metre: laid on.
        case immediate
        /// Within four metres: in the same part of a room.
        case near
        case far
    }

    public let meters: Double
    /// One standard deviation is a factor, up and down: of three beacons, two are between ``meters`` / factor and ``meters`` · factor,
    /// where the model holds.
    public let accuracyFactor: Double
    /// Sightings it comes from.
    public let sightingCount: Int

    public static let immediateMeters = 0.5
    public static let nearMeters = 4.0

    public var proximity: Proximity {
        if meters <= DistanceEstimate.immediateMeters { return .immediate }
        return meters <= DistanceEstimate.nearMeters ? .near : .far
    }

    public var range: ClosedRange<Double> { meters / accuracyFactor...meters * accuracyFactor }
}
