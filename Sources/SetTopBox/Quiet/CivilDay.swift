/// A day of the Gregorian calendar, counted from 1 January 1970.
///
/// Reference: Howard Hinnant, *chrono-Compatible Low-Level Date Algorithms*, 2013: eras of 400 years that
/// begin in March.
struct CivilDay: Sendable, Hashable {
    var number: Int64

    /// - Parameters:
    ///   - month: 1 to 12.
    ///   - day: 1 is the first day of the month.
    init(year: Int64, month: Int64, day: Int64) {
        let shifted = month <= 2 ? year - 1 : year
        let era = CivilDay.floor(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
    }

    init(number: Int64) { self.number = number }

    var year: Int64 {
        let shifted = number + 719_468
        let era = CivilDay.floor(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // March is the first month of such a year; January and February belong to the next one.
        return yearOfEra + era * 400 + (dayOfYear >= 306 ? 1 : 0)
    }

    /// The day of the week; 0 is Sunday. 1 January 1970 was a Thursday.
    var weekday: Int { Int(CivilDay.modulo(number + 4, 7)) }

    static func isLeap(_ year: Int64) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    static func floor(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : -((-a + b - 1) / b) }
    static func modulo(_ a: Int64, _ b: Int64) -> Int64 { a - floor(a, b) * b }
}
