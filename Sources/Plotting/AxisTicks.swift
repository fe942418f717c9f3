import Glibc

/// Round numbers along an axis: 1, 2 or 5 times a power of ten apart.
struct AxisTicks: Sendable {
    let values: [Double]
    private let places: Int

    /// Chooses at most `mostCount` ticks and mostly more than half as many, none outside of `range`.
    init(_ range: ClosedRange<Double>, mostCount: Int) {
        let least = (range.upperBound - range.lowerBound) / Double(max(1, mostCount))
        guard least > 0, least.isFinite else {
            (values, places) = ([range.lowerBound], 3)
            return
        }
        let exponent = floor(log10(least))
        let decade = pow(10, exponent)
        let step = decade * ([1.0, 2, 5].first { $0 * decade >= least * 0.999 } ?? 10)
        let first = (range.lowerBound / step - 1e-6).rounded(.up)
        let last = (range.upperBound / step + 1e-6).rounded(.down)
        values = first <= last ? stride(from: first, through: last, by: 1).map { $0 * step } : []
        places = max(0, min(6, -Int(floor(log10(step) + 1e-9))))
    }

    /// Returns a label with as many decimal places as neighbours need to differ.
    func label(_ value: Double) -> String {
        let scale = pow(10, Double(places))
        guard let units = Int(exactly: (value * scale).rounded()) else { return "\(value)" }
        let (whole, part) = units.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
        let digits = String(part)
        let fraction = places > 0 ? "." + String(repeating: "0", count: places - digits.count) + digits : ""
        return "\(units < 0 ? "-" : "")\(whole)\(fraction)"
    }
}
