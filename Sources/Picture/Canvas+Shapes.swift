// Slanted and round shapes are drawn by the distance of each pixel's middle from the shape, with soft edges.

extension Canvas {
    /// Draws a straight line with round ends.
    package mutating func line(
        from a: SIMD2<Double>, to b: SIMD2<Double>, _ colour: Colour, thickness: Double = 2
    ) {
        let along = b - a
        let length = max((along * along).sum(), 1e-12)
        paint(around: [a, b], reach: thickness / 2, colour) { point in
            let share = min(1, max(0, ((point - a) * along).sum() / length))
            return Canvas.length(point - a - along * share) - thickness / 2
        }
    }

    package mutating func disc(at centre: SIMD2<Double>, radius: Double, _ colour: Colour) {
        paint(around: [centre], reach: radius, colour) { Canvas.length($0 - centre) - radius }
    }

    /// Draws a circle's outline, 2 pixels thick.
    package mutating func ring(at centre: SIMD2<Double>, radius: Double, _ colour: Colour) {
        paint(around: [centre], reach: radius + 1, colour) {
            (Canvas.length($0 - centre) - radius).magnitude - 1
        }
    }

    /// - Parameter distance: returns the distance of a point from the shape, negative within.
    private mutating func paint(
        around points: [SIMD2<Double>], reach: Double, _ colour: Colour,
        distance: (SIMD2<Double>) -> Double
    ) {
        let low = points.reduce(points[0]) { pointwiseMin($0, $1) } - (reach + 1)
        let high = points.reduce(points[0]) { pointwiseMax($0, $1) } + (reach + 1)
        for y in max(0, Int(low.y))..<max(0, min(height, Int(high.y) + 1), Int(low.y)) {
            for x in max(0, Int(low.x))..<max(0, min(width, Int(high.x) + 1), Int(low.x)) {
                let share = 0.5 - distance(SIMD2(Double(x) + 0.5, Double(y) + 0.5))
                guard share > 0 else { continue }
                self[x, y] = self[x, y].mixed(with: colour, share: share)
            }
        }
    }

    private static func length(_ a: SIMD2<Double>) -> Double { (a * a).sum().squareRoot() }
}
