import Signal

/// The path between two devices, or from a device's loudspeaker to its own microphone. One path serves both
/// directions.
enum Path: Sendable {
    case standing(StandingPath)
    case walking(WalkingPath)

    init(
        between a: AirDevice, and b: AirDevice, isOneDevice: Bool, plan: FloorPlan, leastGain: Double,
        shape: BlockShape, seed: UInt64
    ) {
        let fixedMeters = isOneDevice ? a.microphone?.loudspeakerMeters : nil
        guard a.route.isFixed, b.route.isFixed else {
            self = .walking(
                WalkingPath(
                    plan: plan, walk: Walk(a: a.route, b: b.route), fixedMeters: fixedMeters,
                    leastGain: leastGain, shape: shape, seed: seed))
            return
        }
        let places = (a.route.waypoints[0].place, b.route.waypoints[0].place)
        let propagation =
            fixedMeters.map { plan.propagation(from: places.0, to: places.1, meters: $0) }
            ?? plan.propagation(from: places.0, to: places.1)
        self = .standing(StandingPath(propagation, leastGain: leastGain, shape: shape, seed: seed))
    }

    /// Returns a pair's index in a triangle, which is the same for both directions.
    static func index(_ a: Int, _ b: Int) -> Int { max(a, b) * (max(a, b) + 1) / 2 + min(a, b) }
}
