import TestSupport
import Testing

/// Tests the text of `--help`, word for word. `UPDATE_HELP=1 Tools/test HelpTests` writes it anew.
@Suite struct HelpTests {
    @Test(arguments: [
        "nearby-modem", "encode", "decode", "listen", "transmit", "devices", "plot", "probe", "channel",
        "curve", "bench", "profiles",
    ])
    func isAsRecorded(name: String) throws {
        let outcome = Command().run(name == "nearby-modem" ? ["--help"] : [name, "--help"])
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(try outcome.text == TextFixture("help/\(name).txt", "UPDATE_HELP").recorded(outcome.text))
    }

    @Test(arguments: [
        [], ["demo"], ["find"], ["stb"], ["publish"], ["subscribe"], ["engine"], ["serve"], ["projects"],
        ["admin"], ["admin", "status"], ["admin", "quota"], ["admin", "devices"], ["admin", "device"],
        ["admin", "expel"], ["admin", "drain"], ["projects", "create"], ["projects", "quota"], ["keys"],
        ["keys", "create"], ["keys", "list"], ["keys", "revoke"], ["offline"], ["offline", "create"],
        ["offline", "signer"], ["offline", "show"], ["strategy"], ["strategy", "explain"],
        ["beacons"], ["beacons", "list"], ["beacons", "show"], ["beacons", "register"],
        ["beacons", "attach"],
        ["beacons", "detach"], ["beacons", "activate"], ["beacons", "deactivate"],
        ["beacons", "decommission"],
        ["beacons", "namespace"], ["beacons", "export"], ["beacons", "import"], ["beacons", "eidparams"],
        ["ble"], ["ble", "scan"], ["ble", "advertise"], ["ble", "doctor"],
    ])
    func ofNearby(words: [String]) throws {
        let outcome = Command.nearby.run(words + ["--help"])
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        let name = (["nearby"] + words).joined(separator: "-")
        #expect(try outcome.text == TextFixture("help/\(name).txt", "UPDATE_HELP").recorded(outcome.text))
    }
}
