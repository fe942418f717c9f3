import Foundation
import Testing

@testable import SetTopBox

/// Tests of the hours in which nothing sounds.
@Suite struct QuietHoursTests {
    /// Returns the seconds since 1970 of a moment in UTC.
    private func moment(_ text: String) throws -> Int64 {
        Int64(try Date("\(text):00Z", strategy: .iso8601).timeIntervalSince1970)
    }

    private func quiet(_ texts: String..., zone: String = "Europe/Berlin") throws -> QuietHours {
        try QuietHours(texts, in: .named(zone))
    }

    private func check(_ hours: QuietHours, _ cases: [(String, Bool)]) throws {
        for (text, isQuiet) in cases {
            #expect(try hours.contains(unixSeconds: moment(text)) == isQuiet, "\(text)")
        }
    }

    @Test func overMidnight() throws {
        // Local time is one hour ahead in winter and two in summer.
        try check(
            quiet("22:00-07:00"),
            [
                ("2026-01-10T20:59", false), ("2026-01-10T21:00", true), ("2026-01-11T05:59", true),
                ("2026-01-11T06:00", false), ("2026-07-10T19:59", false), ("2026-07-10T20:00", true),
                ("2026-07-11T04:59", true), ("2026-07-11T05:00", false),
            ])
    }

    /// The hour from 2:00 to 3:00 comes twice on 25 October 2026, and not at all on 29 March.
    @Test func whereClocksAreChanged() throws {
        try check(
            quiet("02:00-03:00"),
            [
                ("2026-10-24T23:59", false), ("2026-10-25T00:00", true), ("2026-10-25T00:59", true),
                ("2026-10-25T01:00", true), ("2026-10-25T01:59", true), ("2026-10-25T02:00", false),
                ("2026-03-29T00:59", false), ("2026-03-29T01:00", false), ("2026-03-29T01:30", false),
            ])
        // A night is an hour longer or shorter, and is completely quiet either way.
        let night = try quiet("22:00-07:00")
        func minutes(_ from: String, _ to: String) throws -> Int {
            stride(from: try moment(from), to: try moment(to), by: 60).count {
                night.contains(unixSeconds: $0)
            }
        }
        #expect(try minutes("2026-03-28T12:00", "2026-03-29T12:00") == 8 * 60)
        #expect(try minutes("2026-10-24T12:00", "2026-10-25T12:00") == 10 * 60)
        #expect(try minutes("2026-06-01T12:00", "2026-06-02T12:00") == 9 * 60)
    }

    /// The days are those on which the range begins. 10 January 2026 is a Saturday.
    @Test func onSomeDays() throws {
        try check(
            quiet("fri-sat 23:00-01:00", "sun 13:00-15:00", zone: "UTC"),
            [
                ("2026-01-09T23:00", true), ("2026-01-10T00:59", true), ("2026-01-10T01:00", false),
                ("2026-01-10T23:00", true), ("2026-01-11T00:30", true), ("2026-01-11T13:00", true),
                ("2026-01-11T23:30", false), ("2026-01-12T00:30", false), ("2026-01-12T13:30", false),
                ("2026-01-09T00:30", false),
            ])
        try check(quiet("00:00-24:00", zone: "UTC"), [("2026-01-09T23:59", true)])
        #expect(!QuietHours.none.contains(unixSeconds: 0))
    }

    @Test(arguments: [
        "", "22-07", "22:00", "22:00-", "22:00-22:00", "24:00-01:00", "22:60-23:00", "2:00-3:00",
        "22:00-24:01", "funday 22:00-23:00", "mon- 22:00-23:00", "mon tue 22:00-23:00", "22:00-07:00 mon",
        "mon-tue-wed 22:00-23:00", "２２:00-07:00",
    ])
    func whatIsNoRange(text: String) {
        #expect(throws: QuietHoursError.self) { try QuietHours([text], in: .utc) }
    }
}
