/// An estimate of a beacon's distance.
public struct DistanceEstimate: Hashable, Sendable {
    /// A coarse class of distance; the estimate is rarely good for more.
    public enum Proximity: String, Hashable, Sendable {
        /// Within half a metre, as if the phone lay on the beacon.
        case immediate
        /// Within four metres, in the same part of a room.
        case near
        /// Farther away, somewhere in the room or beyond a wall.
        case far
    }

    /// The distance according to the model, as if nothing were in the way.
    public let meters: Double
    /// The factor of one standard deviation, up and down: two of three beacons are between ``meters`` /
    /// factor and ``meters`` · factor, where the model holds.
    public let accuracyFactor: Double
    /// The number of sightings behind the estimate.
    public let sightingCount: Int

    /// The greatest distance that is ``Proximity/immediate``, inclusive.
    public static let immediateMeters = 0.5
    /// The greatest distance that is ``Proximity/near``, inclusive.
    public static let nearMeters = 4.0

    /// The class of ``meters`` alone; ``accuracyFactor`` does not count.
    public var proximity: Proximity {
        if meters <= DistanceEstimate.immediateMeters { return .immediate }
        return meters <= DistanceEstimate.nearMeters ? .near : .far
    }

    /// The distances at one standard deviation down and up.
    public var range: ClosedRange<Double> { meters / accuracyFactor...meters * accuracyFactor }
}
