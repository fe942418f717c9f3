import Foundation
import TestSupport
import Testing

/// Tests of `nearby admin`, as operators run it.
@Suite struct AdminCommandTests {
    private let folder = TemporaryDirectory()
    private var socket: String { folder.file("admin.socket") }

    private func run(_ arguments: String...) -> Command.Outcome {
        Command.nearby.run(["admin"] + arguments + ["--socket", socket])
    }

    @Test func anOperatorAsksAndChanges() throws {
        let server = RunningCommand(
            [
                "serve", "--data", folder.file("data"), "--port", "0", "--log-level", "error",
                "--admin-socket", socket,
            ], of: Command.nearby)
        #expect(server.waitForWords("listening on ", seconds: 30))
        let status = run("status", "--json")
        #expect(status.status == 0 && status.errors.isEmpty, "\(status.errors)")
        #expect(
            status.text.contains(
                #""projects":[{"deviceQuota":200000,"devices":0,"id":1,"name":"default","streams":0}]"#),
            "\(status.text)")
        #expect(run().text.contains("1  default  0 of 200000 devices  0 streams"))
        #expect(run("quota", "default").text == "default: 200000 devices, the standard quota\n")
        #expect(
            run("quota", "default", "5", "--json").text
                == #"{"devices":5,"isStandard":false,"project":"default"}"# + "\n")
        // The command that opens the database sees the same quota.
        let projects = Command.nearby.run(["projects", "--json", "--data", folder.file("data")])
        #expect(projects.text.contains(#""deviceQuota":5"#), "\(projects.text)")
        let none = run("devices")
        #expect(none.status == 1 && none.output.isEmpty && none.errorLines.count == 1, "\(none.errors)")
        for (arguments, code) in [
            (["device", "0123abcd"], 66), (["expel", "0123abcd"], 66), (["expel", "0123"], 64),
            (["quota", "default", "0"], 64), (["quota", "nobody"], 66), (["devices", "--limit", "1001"], 64),
        ] as [([String], Int32)] {
            let outcome = Command.nearby.run(["admin"] + arguments + ["--socket", socket])
            #expect(outcome.status == code && outcome.output.isEmpty, "\(arguments) \(outcome.errors)")
            #expect(outcome.errorLines.count == 1, "\(arguments) \(outcome.errors)")
        }
        let second = Command.nearby.run([
            "serve", "--data", folder.file("other"), "--port", "0", "--admin-socket", socket,
        ])
        #expect(second.status == 73 && second.errors.contains("another program answers"), "\(second.errors)")
        let drained = run("drain")
        #expect(drained.text == "draining: 0 streams close, then the server ends\n", "\(drained.errors)")
        #expect(server.finish().status == 0, "\(server.errors)")
        let gone = run("status")
        #expect(gone.status == 69 && gone.errorLines.count == 1, "\(gone.errors)")
    }

    @Test func optionsThatNeedEachOther() {
        #expect(Command.nearby.run(["serve", "--audit-log", folder.file("audit")]).status == 64)
        #expect(Command.nearby.run(["admin", "status"]).status == 64)
    }
}
