import ArgumentParser
import CommandOutput

/// The checks of options' ranges. The error's line says what was expected and what came.
enum Limits {
    /// Throws: a usage error for a value outside the range. A missing value is not checked.
    static func check(
        _ name: String, _ value: Double?, _ range: ClosedRange<Double>, _ unit: String
    ) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError(
            "\(name) must be \(text(range.lowerBound)) to \(text(range.upperBound)) \(unit), not \(value)")
    }

    /// - Parameter unit: the unit; empty for a count.
    static func check(_ name: String, _ value: Int?, _ range: ClosedRange<Int>, _ unit: String = "") throws {
        guard let value, !range.contains(value) else { return }
        let least = range.upperBound == .max ? "\(range.lowerBound) or more" : nil
        let ends = least ?? "\(range.lowerBound) to \(range.upperBound)"
        throw ValidationError("\(name) must be \(ends)\(unit.isEmpty ? "" : " \(unit)"), not \(value)")
    }

    /// Checks the longest running time of a command.
    static func checkDuration(_ name: String, _ seconds: Double?) throws {
        guard let seconds, !(seconds > 0 && seconds < 1e9) else { return }
        throw ValidationError("\(name) must be more than 0 seconds, and under 1000000000, not \(seconds)")
    }

    private static func text(_ value: Double) -> String {
        FixedPoint.text(value, places: value.rounded() == value ? 0 : 2)
    }
}
