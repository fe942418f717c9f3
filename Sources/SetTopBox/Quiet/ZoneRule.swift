/// A local time by one rule for all years, in POSIX's notation: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// Reference: POSIX.1-2017, Base Definitions 8.3, `TZ`; times of change reach over a week, as in RFC 8536.
struct ZoneRule: Sendable, Hashable {
    /// The time at which a year's summer time begins or ends.
    struct Change: Sendable, Hashable {
        enum Day: Sendable, Hashable {
            /// A day from 1 to 365; 29 February is never counted.
            case julian(Int64)
            /// A day from 0 to 365.
            case ordinal(Int64)
            /// A weekday of a week in a month. The fifth one is the last one if there are only four.
            case weekday(month: Int64, week: Int64, day: Int64)
        }

        var day: Day
        /// The seconds from local midnight.
        var seconds: Int64
    }

    struct Summer: Sendable, Hashable {
        var offsetSeconds: Int64
        var begins: Change
        var ends: Change
    }

    /// The offset in seconds east of Greenwich.
    var offsetSeconds: Int64
    var summer: Summer?
    /// True if a person may have meant the other direction, as in `UTC+2`: POSIX counts to the west, people
    /// to the east.
    private(set) var isAmbiguous = false

    /// Reads a rule. Returns `nil` unless the whole text is one.
    init?(_ text: String) {
        var scanner = Scanner(text.utf8[...])
        guard let name = scanner.name() else { return nil }
        let hasPlus = scanner.isNext("+")
        guard let west = scanner.time(most: 24) else { return nil }
        offsetSeconds = -west
        let isFixed = scanner.isAtEnd
        isAmbiguous = west != 0 && name.isMisleading(hasPlus: hasPlus, eastSeconds: -west, isFixed: isFixed)
        guard !scanner.isAtEnd else { return }
        guard scanner.name() != nil else { return nil }
        var summerSeconds = offsetSeconds + 3600
        if !scanner.isNext(",") {
            guard let west = scanner.time(most: 24) else { return nil }
            summerSeconds = -west
        }
        guard let begins = scanner.change(), let ends = scanner.change(), scanner.isAtEnd else { return nil }
        summer = Summer(offsetSeconds: summerSeconds, begins: begins, ends: ends)
    }

    func offsetSeconds(at unixSeconds: Int64) -> Int64 {
        guard let summer else { return offsetSeconds }
        let year = CivilDay(number: CivilDay.floor(unixSeconds + offsetSeconds, 86_400)).year
        let begins = ZoneRule.localSeconds(of: summer.begins, in: year) - offsetSeconds
        let ends = ZoneRule.localSeconds(of: summer.ends, in: year) - summer.offsetSeconds
        let isSummer =
            begins < ends
            ? (begins..<ends).contains(unixSeconds) : !(ends..<begins).contains(unixSeconds)
        return isSummer ? summer.offsetSeconds : offsetSeconds
    }

    private static func localSeconds(of change: Change, in year: Int64) -> Int64 {
        let first = CivilDay(year: year, month: 1, day: 1).number
        let day: Int64
        switch change.day {
        case .julian(let number): day = first + number - 1 + (CivilDay.isLeap(year) && number >= 60 ? 1 : 0)
        case .ordinal(let number): day = first + number
        case .weekday(let month, let week, let weekday):
            let start = CivilDay(year: year, month: month, day: 1)
            let end =
                month == 12
                ? CivilDay(year: year + 1, month: 1, day: 1) : CivilDay(year: year, month: month + 1, day: 1)
            let wanted = start.number + CivilDay.modulo(weekday - Int64(start.weekday), 7) + 7 * (week - 1)
            day = wanted < end.number ? wanted : wanted - 7
        }
        return day * 86_400 + change.seconds
    }
}

/// The abbreviation at the beginning of a rule.
private struct ZoneName {
    var text: String
    /// True if the name stood between < and >.
    var isQuoted: Bool

    /// Returns true if the name or the sign states another direction than POSIX's offset, or may do so.
    func isMisleading(hasPlus: Bool, eastSeconds: Int64, isFixed: Bool) -> Bool {
        if isQuoted { return statedEastSeconds.map { $0 != eastSeconds } ?? false }
        return hasPlus || isFixed && ["UTC", "GMT", "UCT", "ZULU"].contains(text.uppercased())
    }

    /// The offset that a name such as `+02` or `-0330` states, in seconds; `nil` for another name.
    private var statedEastSeconds: Int64? {
        let digits = text.utf8.dropFirst()
        guard let sign = text.first, "+-".contains(sign), [2, 4].contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(text.dropFirst())
        else { return nil }
        let seconds = digits.count == 2 ? number * 3600 : number / 100 * 3600 + number % 100 * 60
        return sign == "-" ? -seconds : seconds
    }
}

/// A reader of such a rule, byte by byte.
private struct Scanner {
    private var rest: Substring.UTF8View

    init(_ text: Substring.UTF8View) { rest = text }

    var isAtEnd: Bool { rest.isEmpty }

    func isNext(_ letter: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: letter) }

    private mutating func take(_ letter: Unicode.Scalar) -> Bool {
        guard isNext(letter) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Reads three letters or more, or a name between < and >.
    mutating func name() -> ZoneName? {
        if take("<") {
            let name = rest.prefix { $0 != UInt8(ascii: ">") }
            rest = rest.dropFirst(name.count)
            return name.count >= 3 && take(">")
                ? ZoneName(text: String(decoding: name, as: UTF8.self), isQuoted: true) : nil
        }
        let name = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        rest = rest.dropFirst(name.count)
        return name.count >= 3 ? ZoneName(text: String(decoding: name, as: UTF8.self), isQuoted: false) : nil
    }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        return range.contains(value) ? value : nil
    }

    /// Reads hours, perhaps with minutes and seconds, and perhaps with a sign.
    mutating func time(most hours: Int64) -> Int64? {
        let sign: Int64 = take("-") ? -1 : 1
        if sign == 1 { _ = take("+") }
        guard let hours = number(0...hours) else { return nil }
        var seconds = hours * 3600
        for unit: Int64 in [60, 1] where take(":") {
            guard let count = number(0...59) else { return nil }
            seconds += count * unit
        }
        return sign * seconds
    }

    mutating func change() -> ZoneRule.Change? {
        guard take(",") else { return nil }
        let day: ZoneRule.Change.Day
        if take("M") {
            guard let month = number(1...12), take("."), let week = number(1...5), take("."),
                let weekday = number(0...6)
            else { return nil }
            day = .weekday(month: month, week: week, day: weekday)
        } else if take("J") {
            guard let number = number(1...365) else { return nil }
            day = .julian(number)
        } else {
            guard let number = number(0...365) else { return nil }
            day = .ordinal(number)
        }
        guard take("/") else { return ZoneRule.Change(day: day, seconds: 7200) }
        return time(most: 167).map { ZoneRule.Change(day: day, seconds: $0) }
    }
}
