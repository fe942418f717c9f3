import Foundation
import TestSupport
import Testing

/// Tests of `nearby subscribe --beacons` over foreign controllers.
extension BLECommandTests {
    private static let uuid = "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6"
    private static let tag = "\(uuid)/1/65535"

    private func advertise(_ radio: String, _ arguments: [String]) -> RunningCommand {
        let sender = RunningCommand(["ble", "advertise", "--radio", radio] + arguments, of: Command.nearby)
        #expect(sender.waitForWords("on air", seconds: 10))
        return sender
    }

    private func stop(_ command: RunningCommand) {
        command.interrupt()
        #expect(command.finish().status == 0)
    }

    /// Each error is one line, with the exit code that goes with it.
    @Test func whatBeaconsCannotBe() {
        let cases: [([String], String)] = [
            (["--beacon-type", "ibeacon"], "--beacon-type needs --beacons"),
            (["--beacons", "--beacon-type", "ble"], "--beacon-type"),
            (["--beacons", "--beacon-type", "eid"], "need --key"),
            (["--beacons", "--type", "offer"], "need --key"),
            (["--beacons", "--namespace", "mall"], "need --key"),
            (["--beacons", "--server", "http://127.0.0.1:1"], "--server needs --key"),
            (["--beacons", "--offline", "file"], "either --beacons or --offline"),
            (["--beacons", "--only-broadcast"], "cannot find beacons"),
            (["--beacons", "--mutual"], "is for devices"),
            (["--beacons", "--medium", "both"], "only by Bluetooth"),
        ]
        for (arguments, words) in cases {
            let outcome = Command.nearby.run(["subscribe"] + arguments)
            #expect(
                outcome.status == 64 && outcome.errorLines.count == 1 && outcome.errors.contains(words),
                "\(arguments): \(outcome.status) \(outcome.errors)")
        }
    }

    /// Without a server the command prints the ids of one kind of beacons and their estimated distances, and
    /// nothing about other beacons.
    @Test(.enabled(if: BLEAir.isInstalled, "needs Tools/ble/install"))
    func idsOfBeacons() throws {
        let air = try BLEAir(3)
        let senders = [
            advertise(air.radios[0], ["--ibeacon", Self.tag]),
            advertise(air.radios[1], ["--eddystone-uid", "00112233445566778899+AABBCCDDEEFF"]),
        ]
        let common = [
            "subscribe", "--beacons", "--medium", "ble", "--radio", air.radios[2], "--seconds", "20",
        ]
        let one = Command.nearby.run(common + ["--beacon-type", "ibeacon", "--count", "1"])
        // The standard is -59 dBm at 1 m; 9 dB more are received.
        #expect(one.text == "found\tbeacon\tibeacon:\(Self.tag)\t0.4 m\n", "\(one.errors)")
        let both = Command.nearby.run(common + ["--count", "2", "--json"])
        var ids: [String: Double] = [:]
        for line in both.lines {
            let object = try #require(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(object["event"] as? String == "found" && object["rssiDBm"] as? Int == -50)
            ids[try #require(object["text"] as? String)] = object["distanceMeters"] as? Double
        }
        #expect(
            ids.keys.sorted() == [
                "eddystone:00112233445566778899+aabbccddeeff", "ibeacon:\(Self.tag)",
            ])
        #expect(ids["ibeacon:\(Self.tag)"] == 0.35, "\(ids)")
        for sender in senders { stop(sender) }
    }

    /// With a server the command prints the beacons' attachments of the wanted type. They are lost when the
    /// beacon has gone.
    @Test(.enabled(if: BLEAir.isInstalled, "needs Tools/ble/install"))
    func whatBeaconsStandFor() throws {
        let (air, folder) = (try BLEAir(2), TemporaryDirectory())
        let data = ["--data", folder.file("data")]
        let server = RunningCommand(
            ["serve", "--port", "0", "--log-level", "error"] + data, of: Command.nearby)
        #expect(server.waitForWords("listening on ", seconds: 30) && server.waitForLines(1, seconds: 30))
        let address = try #require(server.errors.split(separator: " ").last?.split(separator: "\n").first)
        let key = String(try #require(server.lines.first))
        let tag = "ibeacon:\(Self.tag)"
        for arguments in [
            ["namespace", "mall"], ["register", tag], ["attach", tag, "mall/offer", "two for one"],
            ["attach", tag, "mall/hours", "9 to 5"],
        ] {
            let outcome = Command.nearby.run(["beacons"] + arguments + data)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let sender = advertise(air.radios[0], ["--ibeacon", Self.tag])
        let subscriber = RunningCommand(
            [
                "subscribe", "--beacons", "--type", "offer", "--namespace", "mall", "--medium", "ble",
                "--radio",
                air.radios[1], "--server", String(address), "--key", key, "--seconds", "60",
            ], of: Command.nearby)
        #expect(subscriber.waitForLines(1, seconds: 20))
        stop(sender)
        #expect(subscriber.waitForLines(2, seconds: 40))
        subscriber.interrupt()
        let outcome = subscriber.finish()
        #expect(
            outcome.text == "found\toffer\ttwo for one\t0.4 m\nlost\toffer\ttwo for one\t0.4 m\n",
            "\(outcome.errors)")
        server.interrupt()
        #expect(server.finish().status == 0)
    }
}
