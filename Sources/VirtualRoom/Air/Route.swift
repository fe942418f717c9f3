/// The places of a device over time. It moves straight from waypoint to waypoint, and stands still before the
/// first and after the last.
package struct Route: Sendable, Hashable {
    package struct Waypoint: Sendable, Hashable {
        package var seconds: Double
        /// The place in metres; z is the height over the floor.
        package var place: SIMD3<Double>

        package init(seconds: Double, place: SIMD3<Double>) { (self.seconds, self.place) = (seconds, place) }
    }

    package let waypoints: [Waypoint]
    /// The distances from the first waypoint to each of them, along the route.
    private let walkedMeters: [Double]

    package static func fixed(_ place: SIMD3<Double>) -> Route {
        Route([Waypoint(seconds: 0, place: place)])
    }

    /// - Precondition: there is at least one waypoint; times rise; speeds are at most ``fastest``.
    package init(_ waypoints: [Waypoint]) {
        precondition(!waypoints.isEmpty, "a device is somewhere")
        self.waypoints = waypoints
        var walked = [0.0]
        for (a, b) in zip(waypoints, waypoints.dropFirst()) {
            let way = b.place - a.place
            let meters = (way * way).sum().squareRoot()
            precondition(b.seconds > a.seconds, "waypoints follow one another in time")
            precondition(meters / (b.seconds - a.seconds) <= Route.fastest, "nobody walks so fast")
            walked.append(walked[walked.count - 1] + meters)
        }
        walkedMeters = walked
    }

    /// The greatest speed in m/s; ``PlaneWave`` keeps as much of the past as it requires.
    static let fastest = 5.0

    package var isFixed: Bool { waypoints.allSatisfy { $0.place == waypoints[0].place } }

    package func place(atSeconds t: Double) -> SIMD3<Double> {
        let (i, share) = leg(t)
        guard share > 0 else { return waypoints[i].place }
        return waypoints[i].place + (waypoints[i + 1].place - waypoints[i].place) * share
    }

    /// Returns the distance from the first waypoint, along the route.
    func walkedMeters(atSeconds t: Double) -> Double {
        let (i, share) = leg(t)
        guard share > 0 else { return walkedMeters[i] }
        return walkedMeters[i] + (walkedMeters[i + 1] - walkedMeters[i]) * share
    }

    /// Returns the index of the last waypoint passed, and the share of the way to the next one.
    private func leg(_ t: Double) -> (index: Int, share: Double) {
        let next = waypoints.firstIndex { $0.seconds > t } ?? waypoints.count
        guard next > 0 else { return (0, 0) }
        guard next < waypoints.count else { return (waypoints.count - 1, 0) }
        let (a, b) = (waypoints[next - 1].seconds, waypoints[next].seconds)
        return (next - 1, (t - a) / (b - a))
    }
}
