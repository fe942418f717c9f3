/// Two devices' routes together: how far they have walked between them, and when.
struct Walk: Sendable {
    let a: Route
    let b: Route

    func places(atSeconds t: Double) -> (a: SIMD3<Double>, b: SIMD3<Double>) {
        (a.place(atSeconds: t), b.place(atSeconds: t))
    }

    /// Both their ways, added.
    func walkedMeters(atSeconds t: Double) -> Double {
        a.walkedMeters(atSeconds: t) + b.walkedMeters(atSeconds: t)
    }

    /// When they have walked that far: the start or the end if it is never so. By bisection: the way never shrinks.
    func seconds(walkedMeters meters: Double) -> Double {
        var low = min(a.waypoints[0].seconds, b.waypoints[0].seconds)
        var high = max(a.waypoints[a.waypoints.count - 1].seconds, b.waypoints[b.waypoints.count - 1].seconds)
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if walkedMeters(atSeconds: middle) < meters { low = middle } else { high = middle }
        }
        return high
    }
}
