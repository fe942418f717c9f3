import Foundation
import Glibc
import TestSupport
import Testing

/// Tests that only their owner can read files with secrets, whatever the umask is and was.
@Suite struct SecretModeTests {
    private let folder = TemporaryDirectory()

    /// Runs `nearby` under a umask.
    private func run(_ umask: String, _ arguments: [String]) throws -> (status: Int32, errors: String) {
        let (process, errors) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            ["-c", "umask \(umask); exec \"$@\"", "sh", Command.path(of: "nearby")] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        process.environment = ["PATH": "/usr/bin:/bin"]
        try process.run()
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    private func mode(_ path: String) -> mode_t? {
        var state = stat()
        return stat(path, &state) == 0 ? state.st_mode & 0o777 : nil
    }

    private let names = ["nearby.sqlite", "nearby.sqlite-wal", "nearby.sqlite-shm", "nearby.sqlite-serving"]

    /// A server runs on a folder that was there, with files that others could read, or with none.
    @Test(arguments: [("022", true), ("022", false), ("000", true), ("000", false)])
    func database(umask: String, isOld: Bool) throws {
        let data = folder.file("data")
        #expect(mkdir(data, 0o700) == 0)
        chmod(data, 0o755)
        defer { try? FileManager.default.removeItem(atPath: data) }
        if isOld {
            #expect(try run("077", ["projects", "--data", data]).status == 0)
            for name in names {
                let file = open("\(data)/\(name)", O_WRONLY | O_CREAT, 0o666)
                if file >= 0 { close(file) }
                chmod("\(data)/\(name)", 0o666)
            }
        }
        let server = RunningCommand(
            [
                "-c", "umask \(umask); exec \"$0\" serve --port 0 --data '\(data)'",
                Command.path(of: "nearby"),
            ],
            of: Command(program: "/bin/sh"))
        #expect(server.waitForWords("listening on", seconds: 30), "\(server.errors)")
        for name in names { #expect(mode("\(data)/\(name)") == 0o600, "\(name)") }
        #expect(server.errors.contains("\(data): others may enter this folder"), "\(server.errors)")
        server.interrupt()
        #expect(server.finish().status == 0)
    }

    @Test(arguments: ["022", "000"]) func newFiles(umask: String) throws {
        let data = folder.file("data")
        defer { try? FileManager.default.removeItem(atPath: data) }
        let made: [(String, [String])] = [
            ("project", ["projects", "create", "shop", "--data", data, "-o"]),
            ("key", ["keys", "create", "--project", "shop", "--data", data, "-o"]),
            ("beacons", ["beacons", "export", "--with-keys", "--project", "shop", "--data", data, "-o"]),
            ("offline", ["offline", "create", "shop", "-o"]), ("signer", ["offline", "signer", "-o"]),
        ]
        for (name, arguments) in made {
            let path = folder.file(name)
            let outcome = try run(umask, arguments + [path])
            #expect(outcome.status == 0 && mode(path) == 0o600, "\(name): \(outcome.errors)")
            let again = try run(umask, arguments + [path])
            #expect(
                again.status == 73 && again.errors.contains("already exists"), "\(name): \(again.errors)")
            unlink(path)
        }
        #expect(mode(data) == 0o700)
    }

    /// If others may read a configuration with a key in it, or a key's file, there is one line for each and
    /// no failure.
    @Test func warnings() throws {
        let key = folder.write(Array("word\n".utf8), to: "key")
        let toml = folder.write(Array("server.key = \"word\"\n".utf8), to: "stb.toml")
        let byFile = folder.write(Array("server.key-file = \"\(key)\"\n".utf8), to: "file.toml")
        for (mode, isOpen) in [(mode_t(0o644), true), (0o640, true), (0o600, false), (0o400, false)] {
            for path in [key, toml] { chmod(path, mode) }
            for (file, named) in [(toml, toml), (byFile, key)] {
                let outcome = try run("022", ["stb", "--check", file])
                let warnings = outcome.errors.split(separator: "\n").filter {
                    $0.contains("\(named): others may")
                }
                #expect(outcome.status == 0 && warnings.count == (isOpen ? 1 : 0), "\(outcome.errors)")
            }
        }
    }
}
