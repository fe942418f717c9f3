/// Decimal numbers with a fixed count of places, as tables and lines show them.
package enum FixedPoint {
    /// Rounded to nearest, halves away from zero; never "-0". What is not a number, or too large to be shown so, is
    /// shown as Swift shows it.
    package static func text(_ value: Double, places: Int) -> String {
        precondition((0...9).contains(places), "0 to 9 places")
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        let scaled = (value * Double(scale)).rounded()
        guard let units = Int(exactly: scaled), units.magnitude < 1 << 53 else { return "\(value)" }
        let (whole, part) = units.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
        let sign = units < 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        let digits = String(part)
        return "\(sign)\(whole).\(String(repeating: "0", count: places - digits.count))\(digits)"
    }
}
