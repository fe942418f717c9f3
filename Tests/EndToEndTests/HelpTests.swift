import Glibc
import TestSupport
import Testing

/// What `--help` says, word for word. `UPDATE_HELP=1 swift test --filter HelpTests` writes it anew.
@Suite struct HelpTests {
    @Test(arguments: [
        "nearby-modem", "encode", "decode", "listen", "transmit", "devices", "plot", "probe", "channel",
        "curve", "bench", "profiles",
    ])
    func isAsRecorded(name: String) throws {
        let outcome = Command().run(name == "nearby-modem" ? ["--help"] : [name, "--help"])
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        let path = Repository.path("Fixtures/help/\(name).txt")
        if getenv("UPDATE_HELP") != nil {
            let handle = try #require(fopen(path, "w"))
            defer { fclose(handle) }
            try #require(fputs(outcome.text, handle) >= 0)
        }
        let handle = try #require(fopen(path, "r"), "no such fixture")
        defer { fclose(handle) }
        var recorded = [UInt8](repeating: 0, count: 65536)
        let count = fread(&recorded, 1, recorded.count, handle)
        #expect(outcome.text == String(decoding: recorded[..<count], as: UTF8.self))
    }
}
