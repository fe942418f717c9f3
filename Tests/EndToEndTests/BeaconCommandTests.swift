import Glibc
import TestSupport
import Testing

/// Tests of `nearby beacons` as people run it.
@Suite struct BeaconCommandTests {
    private let folder = TemporaryDirectory()
    private let door = "eddystone:00112233445566778899+aabbccddeeff"
    private let tag = "ibeacon:2f234454-cf6d-4a0f-adf2-f4911ba9ffa6/1/65535"

    init() { #expect(Command.nearby.run("projects", "create", "default", "--data", data).status == 0) }

    private var data: String { folder.file("data") }

    private func run(_ arguments: String..., in data: String? = nil, input: String = "") -> Command.Outcome {
        Command.nearby.run(["beacons"] + arguments + ["--data", data ?? self.data], input: Array(input.utf8))
    }

    private func done(_ arguments: String...) {
        let outcome = Command.nearby.run(["beacons"] + arguments + ["--data", data])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(arguments): \(outcome.errors)")
    }

    private func refused(_ status: Int32, _ words: String, _ outcome: Command.Outcome) {
        #expect(outcome.status == status && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(outcome.errorLines.count == 1 && outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func fromRegistrationToTheEnd() {
        done("namespace", "shop")
        done("register", door, "--place", "the door", "--property", "floor=2", "--stability", "stable")
        done("register", tag, "--inactive")
        refused(64, "exists already", run("register", door))
        refused(65, "'mall' is not this project's", run("attach", door, "mall/offer", "x"))
        done("attach", door, "shop/offer", "two for one", "--max-distance", "2.5")
        done("attach", tag, "shop/name", "tag")
        #expect(
            run("list").text == """
                \(tag)  inactive  1
                \(door)           active    1  the door

                """)
        #expect(
            run("show", door).text == """
                beacon      \(door)
                name        beacons/3!00112233445566778899aabbccddeeff
                status      active
                stability   stable
                place       the door
                property    floor=2
                attachment  shop/offer, 11 bytes, up to 2.5 m

                """)
        #expect(run("show", door, "--json").text == run("list", "--json").lines.last.map { "\($0)\n" })
        refused(66, "no attachment shop/hours", run("detach", door, "shop/hours"))
        done("detach", door, "shop/*")
        done("activate", tag)
        done("deactivate", tag)
        done("decommission", tag)
        refused(65, "is decommissioned", run("activate", tag))
        refused(66, "no beacon", run("show", "altbeacon:" + String(repeating: "00", count: 20)))
    }

    @Test func anExportIsAnImport() {
        done("namespace", "shop", "--public")
        done("register", door)
        done("attach", door, "shop/offer", "ä")
        let export = run("export")
        let other = folder.file("other")
        #expect(Command.nearby.run("projects", "create", "default", "--data", other).status == 0)
        #expect(run("import", "-", in: other, input: export.text).status == 0)
        #expect(run("export", in: other).output == export.output)
        refused(
            65, "-: line 3: beacons/3!00112233445566778899aabbccddeeff is in line 2 already",
            run("import", "-", input: export.text + String(export.lines[1])))
        refused(66, "none.jsonl: no such file", run("import", "none.jsonl"))
    }

    /// The first of the published vectors: the command prints the beacon's present name, but not its key.
    @Test func changingNames() {
        let key = folder.file("key")
        folder.write(Array("000102030405060708090A0B0C0D0E0F\n".utf8), to: "key")
        #expect(chmod(key, 0o600) == 0)
        let names = ["--identity-key", key, "--rotation-exponent", "10", "--clock"]
        func register(_ arguments: [String]) -> Command.Outcome {
            Command.nearby.run(["beacons", "register", door] + arguments + ["--data", data])
        }
        refused(
            65, "makes df8e76bbfec4efc5, not 0000000000000000",
            register(names + ["0", "--initial-eid", "0000000000000000"]))
        #expect(register(names + ["0", "--initial-eid", "df8e76bbfec4efc5"]).status == 0)
        #expect(run("show", "eid:df8e76bbfec4efc5").lines.first == "beacon            \(door)")
        refused(66, "calls itself", run("show", "eid:0000000000000000"))
        #expect(!run("export").text.contains("identityKey"))
        #expect(run("export", "--with-keys").text.contains("\"identityKey\":\"AAECAwQFBgcICQoLDA0ODw==\""))
        let parameters = run("eidparams", "--json")
        #expect(parameters.text == run("eidparams", "--json").text)
        #expect(
            parameters.text.hasSuffix(
                "\",\"minRotationPeriodExponent\":0,\"maxRotationPeriodExponent\":15}\n"))
    }

    @Test(arguments: [
        ["register", "eddystone:00"], ["register", "ibeacon:2f234454/1/2"], ["show"],
        ["register", "altbeacon:" + String(repeating: "0", count: 40), "--clock", "5"],
        ["attach", "altbeacon:" + String(repeating: "0", count: 40), "shop", "x"],
        ["attach", "altbeacon:" + String(repeating: "0", count: 40), "shop/x"],
        ["detach", "altbeacon:" + String(repeating: "0", count: 40), "*"],
        ["register", "altbeacon:" + String(repeating: "0", count: 40), "--property", "x"],
    ])
    func whatCannotBe(arguments: [String]) {
        refused(64, "nearby: ", Command.nearby.run(["beacons"] + arguments + ["--data", data]))
    }
}
