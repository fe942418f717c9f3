import Foundation
import Signal
import Testing

@testable import SetTopBox

/// Tests of the local time of places: the system's zones, and POSIX's rules.
@Suite struct LocalTimeTests {
    private static let zones = [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Sao_Paulo",
        "Africa/Casablanca", "Europe/Dublin", "Pacific/Apia", "Asia/Gaza", "Antarctica/Troll", "Etc/GMT+3",
        "America/Nuuk",
    ]

    /// The results equal those of Python's zoneinfo: 300 moments from 1971 to 2120 in each of 12 zones, and
    /// the seconds around the changes of 2026.
    @Test func zonesAreAsOthersReadThem() throws {
        var random = SplitMix64(seed: 1)
        let moments = (0..<300).map { _ in Int64(40_000_000 + random.nextUnit() * 4_700_000_000) }
        let script = """
            from sys import stdin
            from zoneinfo import ZoneInfo
            from datetime import datetime, timezone
            zones, moments = [line.split() for line in stdin.read().splitlines()]
            for zone in zones:
                info = ZoneInfo(zone)
                print(*[int(datetime.fromtimestamp(int(m), timezone.utc).astimezone(info).utcoffset().total_seconds())
                        for m in moments])
            """
        // The changes of 2026 are 29 March and 25 October at 1:00 UTC, and those of New York.
        let changes: [Int64] = [1_774_746_000, 1_792_890_000, 1_772_953_200, 1_793_512_800]
        let all = moments + changes.flatMap { [$0 - 1, $0, $0 + 1, $0 + 3599, $0 + 3600] }
        let answer = try SecondOpinion.ask(
            script,
            LocalTimeTests.zones.joined(separator: " ") + "\n"
                + all.map { String($0) }.joined(separator: " "))
        let rows = answer.split(separator: "\n")
        try #require(rows.count == LocalTimeTests.zones.count)
        for (name, row) in zip(LocalTimeTests.zones, rows) {
            let zone = try LocalTime.named(name)
            let offsets = all.map { zone.offsetSeconds(at: $0) }
            let wanted = row.split(separator: " ").map { Int64($0) ?? .max }
            let wrong = zip(all, zip(offsets, wanted)).filter { $0.1.0 != $0.1.1 }
            #expect(offsets.count == wanted.count && wrong.isEmpty, "\(name): \(wrong.prefix(3))")
        }
    }

    /// A rule, for a system without zones, agrees with the zone whose rule it is.
    @Test(arguments: [
        ("Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3"),
        ("America/New_York", "EST5EDT,M3.2.0,M11.1.0"),
        ("Australia/Lord_Howe", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
        ("Asia/Kolkata", "IST-5:30"),
    ])
    func rulesAreAsZones(name: String, rule: String) throws {
        let (zone, rule) = (try LocalTime.named(name), try LocalTime.named(rule))
        var random = SplitMix64(seed: 2)
        for _ in 0..<2000 {
            // The moments are from 2026 to 2090.
            let moment = Int64(1_767_225_600 + random.nextUnit() * 2_000_000_000)
            #expect(zone.offsetSeconds(at: moment) == rule.offsetSeconds(at: moment), "\(moment)")
        }
    }

    /// POSIX counts hours to the west, people to the east. If the two may differ, nothing is guessed.
    @Test(arguments: [
        ("UTC+2", "UTC-2; write Etc/GMT+2 for that, or Etc/GMT-2 for UTC+2"),
        ("UTC-2", "UTC+2; write Etc/GMT-2 for that, or Etc/GMT+2 for UTC-2"),
        ("gmt3", "UTC-3; write Etc/GMT+3 for that, or Etc/GMT-3 for UTC+3"),
        ("UTC+5:30", "UTC-5:30; write <-0530>5:30 for that, or <+0530>-5:30 for UTC+5:30"),
        ("UTC+02:00", "write Etc/GMT+2 for that, or Etc/GMT-2 for UTC+2"),
        ("CET+1", "UTC-1; write Etc/GMT+1 for that, or Etc/GMT-1 for UTC+1"),
        (
            "CET+1CEST,M3.5.0,M10.5.0/3",
            "CET1CEST,M3.5.0,M10.5.0/3 for west of Greenwich, CET-1CEST,M3.5.0,M10.5.0/3 for east"
        ),
        ("<+02>2", "UTC-2; write Etc/GMT+2 for that, or Etc/GMT-2 for UTC+2"),
        ("<-03>-3", "Etc/GMT-3 for that, or Etc/GMT+3"),
    ])
    func aDirectionIsNotGuessed(name: String, advice: String) throws {
        let error = try #require(throws: LocalTimeError.self) { try LocalTime.named(name) }
        #expect(error.description.contains(advice), "\(error)")
        #expect(!error.description.contains("\n"))
    }

    @Test(
        arguments: [
            ("Etc/GMT-2", 7200), ("<+0530>-5:30", 19_800), ("<-0530>5:30", -19_800), ("EST5", -18_000),
            ("JST-9", 32_400),
            ("UTC0", 0), ("GMT+0", 0), ("UTC", 0), ("<+02>-2", 7200), ("<LMT>-1", 3600),
        ] as [(String, Int64)])
    func whatMeansOneTime(name: String, offset: Int64) throws {
        #expect(try LocalTime.named(name).offsetSeconds(at: 1_780_000_000) == offset)
    }

    @Test(arguments: [
        "", "Mars/Olympus", "../etc/passwd", "/etc/localtime", "Europe", "Europe/", "Europe/.",
        "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-25", "CE-1", "<CET-1", "CET-1CEST,J0,J5",
        "CET-1CEST,1,366", "CET-1 ",
    ])
    func whatIsNoZone(name: String) {
        #expect(throws: LocalTimeError.self) { try LocalTime.named(name) }
    }

    /// Any part of a zone's file, and the file with any bit changed, gives a zone or `nil`, and never a trap.
    @Test func damagedFilesAreNone() throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin")))
        _ = try #require(ZoneFile(bytes))
        for count in bytes.indices { #expect(ZoneFile(Array(bytes[..<count])) == nil) }
        var random = SplitMix64(seed: 3)
        for _ in 0..<4000 {
            var changed = bytes
            let place = Int(random.next() % UInt64(bytes.count))
            changed[place] ^= 1 << UInt8(random.next() & 7)
            _ = ZoneFile(changed)?.offsetSeconds(at: 1_780_000_000)
        }
    }
}
