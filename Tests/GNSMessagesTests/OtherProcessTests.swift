import Foundation
import GNSMessages
import Testing

/// Tests of the state that outlives a process, with the environment of a real app.
@Suite struct OtherProcessTests {
    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
        "nearby-gns-\(UUID().uuidString)")
    private var environment: [String: String] {
        // A trap is expected. Nobody needs its backtrace, and making one hangs under the thread sanitizer.
        ["XDG_STATE_HOME": directory.path, "SWIFT_BACKTRACE": "enable=no"]
    }

    private func run(_ arguments: String...) async throws -> Program.Outcome {
        try await Program.run(Program.built("gns-device"), arguments, environment: environment)
    }

    private func removingState(_ body: () async throws -> Void) async rethrows {
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body()
    }

    @Test func permissionIsKept() async throws {
        try await removingState {
            #expect(try await run("permission").output == "false\n")
            #expect(try await run("grant").status == 0)
            #expect(try await run("permission").output == "true\n")
            #expect(try await run("deny").status == 0)
            #expect(try await run("permission").output == "false\n")
            let file = directory.appendingPathComponent("nearby/gns-device/permission").path
            #expect(FileManager.default.contents(atPath: file) == Data("denied".utf8))
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    /// A relative path is invalid (XDG Base Directory Specification).
    @Test func stateIsKeptAtHomeWhereNoPlaceIsNamed() async throws {
        try await removingState {
            let outcome = try await Program.run(
                Program.built("gns-device"), ["grant"],
                environment: ["HOME": directory.path, "XDG_STATE_HOME": "relative"])
            #expect(outcome.status == 0)
            let file = directory.appendingPathComponent(".local/state/nearby/gns-device/permission").path
            #expect(FileManager.default.contents(atPath: file) == Data("granted".utf8))
        }
    }

    /// The process is killed. Its background operations that were not released are there for the next
    /// process.
    @Test func backgroundOperationsOutliveAKill() async throws {
        try await removingState {
            let killed = try Program(Program.built("gns-device"), ["hold", "key"], environment: environment)
            #expect(await killed.line() == "ready")
            killed.kill()
            #expect(try await run("saved", "key").output == "publication  kept 4\nsubscription  names 0\n")
            #expect(try await run("saved", "another").output == "")
            #expect(try await run("saved", "key").output != "", "reading alone strikes nothing out")
        }
    }

    @Test func debugLoggingIsOffUntilItIsSwitchedOn() async throws {
        try await removingState {
            let outcome = try await run("debug")
            #expect(outcome.output == "false\ntrue\n")
        }
    }

    /// With assertions the process ends there. Without them nothing is published and nothing happens.
    @Test func overTheLimitTrapsWhereAssertionsAreOn() async throws {
        try await removingState {
            let outcome = try await run("overlimit")
            #if DEBUG
                #expect(outcome.status != 0 && outcome.output.isEmpty)
            #else
                #expect(outcome.status == 0 && outcome.output.contains("at most"))
            #endif
        }
    }
}
