import Foundation
import TestSupport
import Testing

/// Tests of `nearby demo`.
@Suite struct DemoTests {
    private let command = Command.nearby

    /// The output of a seed is equal word for word. `UPDATE_DEMO=1 Tools/test DemoTests` writes it
    /// anew.
    @Test func timelineIsAsRecorded() throws {
        let outcome = command.run("demo", "--seed", "2", "-o", "demo.png")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(try outcome.text == TextFixture("demo/seed-2.txt", "UPDATE_DEMO").recorded(outcome.text))
        let picture = try #require(command.directory.read("demo.png"))
        // Every PNG begins with these eight bytes (ISO 15948, 5.2).
        #expect(Array(picture.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(command.directory.names == ["demo.png"])
    }

    /// Programs read the keys of each event, in their order.
    @Test func keysOfJSON() throws {
        let outcome = command.run("demo", "--json", "--seconds", "90")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let head = ["seconds", "device", "event"]
        let other = ["other", "distanceMeters", "afterSeconds"]
        let keys: [String: [String]] = [
            "publishes": head + ["type", "content", "mode"], "subscribes": head + ["types", "mode"],
            "unpublishes": head, "enters": head + ["place"], "changesToken": head,
            "firstHeard": head + other, "found": head + ["type", "content"] + other,
            "lost": head + ["type", "content"] + other, "sent": head + ["frameSeconds"],
            "heard": head + ["other", "snrDecibels"],
            "summary": [
                "seconds", "event", "foundAfterSeconds", "lostAfterSeconds", "takenBackAfterSeconds",
                "lostWhileTogether", "sentFrames", "heardFrames", "wrongFrames",
            ],
        ]
        var seen: Set<String> = []
        var before = 0.0
        for line in outcome.lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let event = try #require(object?["event"] as? String)
            let expected = try #require(keys[event], "\(event)")
            #expect(Set(try #require(object).keys) == Set(expected), "\(line)")
            let places = expected.compactMap { line.range(of: "\"\($0)\":")?.lowerBound }
            #expect(places.count == expected.count && places == places.sorted(), "\(line)")
            seen.insert(event)
            let seconds = try #require(object?["seconds"] as? Double)
            #expect(seconds >= before)
            before = seconds
        }
        #expect(seen.isSuperset(of: Set(keys.keys).subtracting(["changesToken"])))
        #expect(outcome.lines.last?.contains("\"summary\"") == true)
    }

    @Test(
        arguments: [
            ("--seconds 9", 64), ("--seconds 3601", 64), ("--seconds nan", 64), ("--seed -1", 64),
            ("-o -", 64), ("-o none/x.png", 73), ("-o .", 73), ("--seconds 10 -o /dev/full", 74),
            ("more", 64),
        ] as [(String, Int32)])
    func refusals(arguments: String, status: Int32) {
        let outcome = command.run(["demo"] + arguments.split(separator: " ").map(String.init))
        #expect(outcome.status == status)
        #expect(outcome.errorLines.count == 1 && outcome.errors.hasPrefix("nearby: "), "\(outcome.errors)")
        #expect(command.directory.names.isEmpty)
    }

    @Test func aFullOutput() {
        #expect(command.run(["demo", "--seconds", "10"], output: "/dev/full").status == 74)
    }
}
