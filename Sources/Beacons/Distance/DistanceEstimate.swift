/// How far away a beacon is, about.
public struct DistanceEstimate: Hashable, Sendable {
    /// What the distance is good for: rarely for more.
    public enum Proximity: String, Hashable, Sendable {
        /// Within half a metre: laid on.
        case immediate
        /// Within four metres: in the same part of a room.
        case near
        /// Farther: somewhere in the room, or beyond a wall.
        case far
    }

    /// Where the model puts it, as if nothing were in the way.
    public let meters: Double
    /// One standard deviation is a factor, up and down: of three beacons, two are between ``meters`` / factor and ``meters`` · factor,
    /// where the model holds.
    public let accuracyFactor: Double
    /// Sightings it comes from.
    public let sightingCount: Int

    /// The greatest distance that is ``Proximity/immediate``, itself included.
    public static let immediateMeters = 0.5
    /// The greatest distance that is ``Proximity/near``, itself included.
    public static let nearMeters = 4.0

    /// What ``meters`` alone says; ``accuracyFactor`` does not count.
    public var proximity: Proximity {
        if meters <= DistanceEstimate.immediateMeters { return .immediate }
        return meters <= DistanceEstimate.nearMeters ? .near : .far
    }

    /// One standard deviation up and down, both as factors of ``meters``.
    public var range: ClosedRange<Double> { meters / accuracyFactor...meters * accuracyFactor }
}
