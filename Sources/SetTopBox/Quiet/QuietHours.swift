/// The hours in which a box does not sound, as ranges of local time. If clocks are put back, an hour that
/// comes twice is quiet twice. If they are put forward, an hour that does not come is never quiet.
///
///     let hours = try QuietHours(["22:00-07:00", "sat-sun 13:00-15:00"], in: .named("Europe/Berlin"))
///     hours.contains(unixSeconds: 1_780_000_000)
public struct QuietHours: Sendable, Hashable {
    /// One range from minute to minute, on the days on which it begins. It extends into the next day if its
    /// end comes before its start.
    struct Range: Sendable, Hashable {
        /// The days on which the range begins; 0 is Sunday.
        var days: Set<Int>
        var start: Int64
        var end: Int64

        func contains(weekday: Int, minute: Int64) -> Bool {
            if start < end { return days.contains(weekday) && (start..<end).contains(minute) }
            return days.contains(weekday) && minute >= start
                || days.contains((weekday + 6) % 7) && minute < end
        }
    }

    /// The texts from which the hours were made.
    public let texts: [String]
    /// The time zone of the hours.
    public private(set) var zone: LocalTime
    private let ranges: [Range]

    /// No quiet hours: the box may always sound.
    public static let none = QuietHours()

    private init() { (texts, zone, ranges) = ([], .utc, []) }

    /// - Parameter texts: ranges such as `22:00-07:00`, preceded by the days on which they begin unless they
    ///   begin on all: `mon-fri 22:00-07:00`, `sat,sun 13:00-15:00`. `00:00-24:00` is a whole day.
    ///
    /// Throws an error for the first text that is not a range.
    public init(_ texts: [String], in zone: LocalTime) throws(QuietHoursError) {
        var ranges: [Range] = []
        for text in texts {
            guard let range = Range(text) else { throw QuietHoursError(text: text) }
            ranges.append(range)
        }
        (self.texts, self.zone, self.ranges) = (texts, zone, ranges)
    }

    /// Returns the same hours with the zone as the system has it now; `nil` if nothing has changed. Throws an
    /// error of ``LocalTime/reread()``.
    func reread() throws(LocalTimeError) -> QuietHours? {
        guard !isEmpty, let zone = try zone.reread() else { return nil }
        var hours = self
        hours.zone = zone
        return hours
    }

    /// True if there are no quiet hours.
    public var isEmpty: Bool { ranges.isEmpty }

    /// Returns true if the time is in the quiet hours.
    ///
    /// - Parameter unixSeconds: the time since 1970, UTC.
    public func contains(unixSeconds: Int64) -> Bool {
        guard !ranges.isEmpty else { return false }
        let local = unixSeconds + zone.offsetSeconds(at: unixSeconds)
        let day = CivilDay(number: CivilDay.floor(local, 86_400))
        let minute = CivilDay.modulo(local, 86_400) / 60
        return ranges.contains { $0.contains(weekday: day.weekday, minute: minute) }
    }
}

/// A text that is no range of quiet hours.
public struct QuietHoursError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text that was given.
    public var text: String

    /// The error in one line.
    public var description: String {
        "'\(text)' is no range of hours: write 22:00-07:00, or mon-fri 22:00-07:00, or 00:00-24:00"
    }
}

extension QuietHours.Range {
    private static let dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

    init?(_ text: String) {
        let words = text.lowercased().split(separator: " ")
        guard (1...2).contains(words.count), let hours = words.last else { return nil }
        let ends = hours.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = Self.minute(ends[0]), let end = Self.minute(ends[1]), start != end,
            start < 1440
        else { return nil }
        guard let days = words.count == 1 ? Set(0...6) : Self.days(words[0]) else { return nil }
        (self.days, self.start, self.end) = (days, start, end)
    }

    private static func minute(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int64(parts[0]), let minute = Int64(parts[1]), minute < 60,
            hour < 24 || hour == 24 && minute == 0
        else { return nil }
        return hour * 60 + minute
    }

    private static func days(_ text: Substring) -> Set<Int>? {
        var days: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard let first = ends.first.flatMap({ dayNames.firstIndex(of: String($0)) }),
                let last = ends.last.flatMap({ dayNames.firstIndex(of: String($0)) }), ends.count <= 2
            else { return nil }
            var day = first
            days.insert(day)
            while day != last {
                day = (day + 1) % 7
                days.insert(day)
            }
        }
        return days
    }
}
