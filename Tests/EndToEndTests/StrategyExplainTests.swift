import Foundation
import TestSupport
import Testing

/// Tests of `nearby strategy explain`.
@Suite struct StrategyExplainTests {
    private let command = Command.nearby

    private func explain(_ arguments: String) -> Command.Outcome {
        command.run(["strategy", "explain"] + arguments.split(separator: " ").map(String.init))
    }

    /// The output is equal word for word. `UPDATE_STRATEGY=1 Tools/test StrategyExplainTests` writes
    /// it anew.
    @Test(arguments: [
        ("standard", ""),
        ("in-background", "--publish audio,scan --subscribe ble,background,ttl=300 --in-background"),
        ("in-trouble", "--publish audio,broadcast --subscribe default --bluetooth-off --no-microphone"),
        ("denied", "--publish audio,earshot --subscribe ble --permission denied"),
        ("near", "--publish audio,earshot,broadcast --near-profile"),
        ("near-and-far", "--publish audio,earshot --subscribe default --near-profile"),
        ("beacons", "--subscribe beacons --subscribe eddystone,background --publish ble"),
        ("beacons-in-background", "--subscribe beacons --subscribe eddystone,background --in-background"),
        ("crowd", "--medium audio --ttl 0.5 --publish default --publish ttl=20 --neighbours 19"),
    ])
    func tableIsAsRecorded(name: String, arguments: String) throws {
        let outcome = explain(arguments)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let fixture = TextFixture("strategy/\(name).txt", "UPDATE_STRATEGY")
        #expect(try outcome.text == fixture.recorded(outcome.text))
    }

    @Test func json() throws {
        let outcome = explain("--json --medium audio --subscribe audio --publish ble,ttl=9 --no-ble")
        #expect(outcome.status == 0)
        #expect(
            outcome.text == """
                {"medium":"audio","direction":"broadcast","outcome":"runs","operations":[2],"refused":[],"profile":"standard","cadence":"bursts","periodSeconds":3.200,"leastListeningSeconds":1.100,"mostListeningSeconds":2.600,"untilSeconds":null}
                {"medium":"audio","direction":"scan","outcome":"runs","operations":[2],"refused":[],"profile":null,"cadence":null,"untilSeconds":null}
                {"medium":"ble","direction":"broadcast","outcome":"refused","operations":[],"refused":[{"operation":1,"reason":"no Bluetooth"}],"profile":null,"cadence":null,"untilSeconds":null}
                {"medium":"ble","direction":"scan","outcome":"refused","operations":[],"refused":[{"operation":1,"reason":"no Bluetooth"}],"profile":null,"cadence":null,"untilSeconds":null}

                """)
    }

    /// The error is one line that names the operation and its problem.
    @Test(arguments: [
        ("--publish audio,background", "in the background only BLE works"),
        ("--medium ble --earshot", "earshot is told by sound"),
        ("--subscribe ble,earshot", "--subscribe ble,earshot: earshot is told by sound"),
        ("--ttl 0", "a time to live is more than 0"), ("--publish ttl=86401", "at most 86400"),
        ("--publish ttl=soon", "soon is not a number"), ("--publish wifi", "wifi is none of"),
        ("--ttl 1e300", "--ttl"), ("--publish ttl=1e300", "not a number"), ("--ttl nan", "--ttl"),
        ("--neighbours -1", "--neighbours must be 0 to 1000"), ("--no-ble --bluetooth-off", "either"),
        ("--publish beacons", "beacons is for subscriptions"), ("--permission maybe", "maybe"),
        ("--medium sound", "sound"), ("more", "more"),
    ])
    func refusals(arguments: String, words: String) {
        let outcome = explain(arguments)
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errorLines.count == 1 && outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("nearby: "))
    }
}
