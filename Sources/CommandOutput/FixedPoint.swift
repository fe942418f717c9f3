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
        return "\(sign)\(whole).\(digits(of: part, places))"
    }

    /// A whole number in at least so many digits.
    package static func digits(of value: UInt, _ count: Int) -> String {
        var text = String(value)
        while text.utf8.count < count { text = "0" + text }
        return text
    }
}
