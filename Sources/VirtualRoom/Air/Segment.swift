/// A straight line on the floor plan from one point to another, in metres.
struct Segment: Sendable, Hashable {
    var a: SIMD2<Double>
    var b: SIMD2<Double>

    init(_ a: SIMD2<Double>, _ b: SIMD2<Double>) { (self.a, self.b) = (a, b) }

    private var along: SIMD2<Double> { b - a }
    var meters: Double { Segment.length(along) }
    var middle: SIMD2<Double> { (a + b) / 2 }

    func point(_ share: Double) -> SIMD2<Double> { a + along * share }

    /// Returns the share of this line at which the other crosses it, 0 to 1; `nil` if it does not cross it or
    /// is parallel.
    func crossing(_ other: Segment) -> Double? {
        let cross = Segment.cross(along, other.along)
        guard cross.magnitude > 1e-12 else { return nil }
        let here = Segment.cross(other.a - a, other.along) / cross
        let there = Segment.cross(other.a - a, along) / cross
        return (0...1).contains(here) && (0...1).contains(there) ? here : nil
    }

    func distance(to point: SIMD2<Double>) -> Double {
        let share = min(max(((point - a) * along).sum() / max((along * along).sum(), 1e-12), 0), 1)
        return Segment.length(point - self.point(share))
    }

    /// Returns the length in metres over which a parallel line runs beside this one, within the given
    /// distance.
    func overlap(_ other: Segment, withinMeters reach: Double) -> Double {
        guard meters > 0, Segment.cross(along, other.along).magnitude < 1e-9 * meters * other.meters else {
            return 0
        }
        let apart = Segment.cross(along, other.a - a).magnitude / meters
        guard apart <= reach else { return 0 }
        let places = [other.a, other.b].map { (($0 - a) * along).sum() / meters }
        return max(0, min(meters, max(places[0], places[1])) - max(0, min(places[0], places[1])))
    }

    private static func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.y - a.y * b.x }
    private static func length(_ a: SIMD2<Double>) -> Double { (a * a).sum().squareRoot() }
}
