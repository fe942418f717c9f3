/// Two devices' routes together: the distance that both have walked, and the times.
struct Walk: Sendable {
    let a: Route
    let b: Route

    func places(atSeconds t: Double) -> (a: SIMD3<Double>, b: SIMD3<Double>) {
        (a.place(atSeconds: t), b.place(atSeconds: t))
    }

    /// Returns the sum of both distances.
    func walkedMeters(atSeconds t: Double) -> Double {
        a.walkedMeters(atSeconds: t) + b.walkedMeters(atSeconds: t)
    }

    /// Returns the time when they have walked so far, or the start or the end if they never have. It uses
    /// bisection, because the distance never shrinks.
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
