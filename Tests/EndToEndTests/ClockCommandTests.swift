import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of `nearby stb`, `publish` and `subscribe` without a server, on machines whose clocks are wrong and
/// are set while they run.
@Suite(.timeLimit(.minutes(5))) struct ClockCommandTests {
    private let folder = TemporaryDirectory()

    private func start(_ arguments: [String], _ environment: [String] = []) -> RunningCommand {
        RunningCommand(arguments, of: Command.nearby, environment: environment)
    }

    private func makeProject() -> String {
        let path = folder.file("shop.key")
        let made = Command.nearby.run(["offline", "create", "shop", "-o", path])
        #expect(made.status == 0, "\(made.errors)")
        return path
    }

    private func configuration(_ more: String...) -> String {
        let lines = [
            "announce.text = \"living room\"", "audio.playback = \"\(folder.file("air.wav"))\"",
            "offline.key-file = \"\(makeProject())\"", "receive.enabled = false",
        ]
        return folder.write(Array((lines + more).joined(separator: "\n").utf8), to: "stb.toml")
    }

    /// Returns the seconds to add to the wall clock so that it shows this time of a day of 2026 in UTC.
    private func shift(to time: String) throws -> Double {
        try Date("2026-12-01T\(time)Z", strategy: .iso8601).timeIntervalSinceNow
    }

    /// A box without a server that was switched on before its clock was set waits for that, and says so.
    @Test func aBoxWaitsForItsClock() throws {
        let clocks = ClockShift(wallSeconds: -Date().timeIntervalSince1970)
        let box = start(["stb", "--config", configuration()], clocks.environment)
        #expect(box.waitForWords("waiting: the clock was never set", seconds: 60), "\(box.errors)")
        clocks.set(wallSeconds: 0)
        #expect(box.waitForWords("broadcasting", seconds: 90), "\(box.errors)")
        box.interrupt()
        let ended = box.finish()
        #expect(ended.status == 0 && !ended.errors.contains("group 'audio'"), "\(ended.errors)")
    }

    /// At the end of a quiet hour the box reports no problem, not even for a moment.
    @Test func aQuietHourEndsWithoutAProblem() throws {
        let clocks = ClockShift(wallSeconds: try shift(to: "12:02:40"))
        let file = configuration("quiet = {hours = [\"12:00-12:03\"], time-zone = \"UTC\"}")
        let box = start(["stb", "--config", file], clocks.environment)
        #expect(box.waitForWords("quiet hours", seconds: 60), "\(box.errors)")
        #expect(box.waitForWords("broadcasting", seconds: 90), "\(box.errors)")
        box.interrupt()
        let ended = box.finish()
        #expect(ended.status == 0)
        #expect(
            !ended.errors.contains("loudspeaker") && !ended.errors.contains("all problems are over"),
            "\(ended.errors)")
    }

    /// A zone that can mean two times is refused in one line that says what to write.
    @Test func aZoneOfTwoTimes() {
        let file = configuration("quiet = {hours = [\"22:00-07:00\"], time-zone = \"UTC+2\"}")
        let refused = Command.nearby.run(["stb", "--check", file])
        #expect(refused.status == 65 && refused.errorLines.count == 1, "\(refused.errors)")
        #expect(refused.errors.contains("Etc/GMT+2") && refused.errors.contains("Etc/GMT-2"))
    }

    /// The system's zones are updated while the box runs. The configuration file is unchanged, but the box
    /// does not say that nothing has changed.
    @Test func aZoneIsUpdated() throws {
        let zones = TemporaryDirectory()
        func install(_ name: String) throws {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(name)"))
            zones.write(Array(bytes), to: "new")
            #expect(rename(zones.file("new"), zones.file("Home")) == 0)
        }
        try install("Asia/Kolkata")
        let file = configuration("quiet = {hours = [\"00:00-00:01\"], time-zone = \"Home\"}")
        let box = start(["stb", "--config", file], ["TZDIR=\(zones.path)"])
        #expect(box.waitForWords("started", seconds: 60), "\(box.errors)")
        box.signal(SIGHUP)
        #expect(box.waitForWords("reloaded: nothing has changed", seconds: 30), "\(box.errors)")
        try install("Asia/Tokyo")
        box.signal(SIGHUP)
        #expect(box.waitForWords("time zone's file has changed", seconds: 30), "\(box.errors)")
        box.interrupt()
        #expect(box.finish().status == 0)
    }

    /// A publisher's clock was an epoch ahead and is set right. A device that has heard it hears it again at
    /// once.
    @Test func aPublisherWhoseClockIsSetBack() throws {
        let (key, air) = (makeProject(), folder.file("air.wav"))
        #expect(mkfifo(air, 0o600) == 0)
        // An epoch has just begun. No other one begins during the test, because the publisher would then
        // be as it was before.
        let now = try shift(to: "12:00:05")
        let (clocks, others) = (ClockShift(wallSeconds: now + 300), ClockShift(wallSeconds: now))
        let publisher = start(
            ["publish", "in the hall", "--offline", key, "--only-broadcast", "--playback", air],
            clocks.environment)
        let subscriber = start(
            ["subscribe", "--offline", key, "--only-scan", "--capture", air, "--count", "2", "--json"],
            others.environment)
        #expect(subscriber.waitForLines(1, seconds: 90), "\(subscriber.errors)")
        clocks.set(wallSeconds: now)
        let found = subscriber.finish(withinSeconds: 90)
        let events = found.lines.filter { $0.contains("\"event\":\"found\"") }
        #expect(found.status == 0 && events.count == 2, "\(found.text)")
        publisher.interrupt()
        #expect(publisher.finish().status == 0, "\(publisher.errors)")
    }
}
