/// Decimal numbers with a fixed number of decimal places, as tables and lines show them.
package enum FixedPoint {
    /// Formats a value, rounded to nearest with halves away from zero; never "-0". Infinity, NaN and values
    /// that are too large appear as Swift prints them.
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

    /// Formats a whole number with at least `count` digits.
    package static func digits(of value: UInt, _ count: Int) -> String {
        var text = String(value)
        while text.utf8.count < count { text = "0" + text }
        return text
    }
}
