import Foundation

/// Another program, run to its end or until it is killed.
final class Program {
    let process = Process()
    private let output = Pipe()

    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let settings = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        process.arguments = settings + [path] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { kill() }

    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The next line it prints; nil at its end. Waits off the threads that tasks run on.
    func line() async -> String? {
        let handle = output.fileHandleForReading
        return await Program.waiting {
            var bytes: [UInt8] = []
            while let byte = try? handle.read(upToCount: 1)?.first {
                if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
                bytes.append(byte)
            }
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
    }

    private static func waiting<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }

    struct Outcome: Sendable {
        var status: Int32
        var isSignal: Bool
        var output: String
    }

    static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Outcome {
        let program = try Program(path, arguments, environment: environment)
        let (handle, process) = (program.output.fileHandleForReading, program.process)
        return await waiting {
            let bytes = (try? handle.readToEnd()) ?? Data()
            process.waitUntilExit()
            return Outcome(
                status: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal,
                output: String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Of this package, built beside the tests.
    static func built(_ name: String) throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    }
}
