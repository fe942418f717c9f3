import Foundation
import TestSupport

/// One of the Python programs of Tools/ble, which ends together with this object.
final class BumbleProcess: @unchecked Sendable {
    private static let python = Repository.path(".build/bumble/bin/python")
    static let isInstalled = FileManager.default.isExecutableFile(atPath: python)

    private let process = Process()
    private let input = Pipe()
    /// The program's output, line by line; the first line is READY.
    private let lines: AsyncStream<String>

    init(_ program: String, _ arguments: [String]) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: BumbleProcess.python)
        process.arguments = [Repository.path("Tools/ble/\(program)")] + arguments
        (process.standardInput, process.standardOutput) = (input, output)
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        lines = stream
        try process.run()
        let reading = output.fileHandleForReading
        Thread.detachNewThread {
            var rest = Data()
            while case let data = reading.availableData, !data.isEmpty {
                rest.append(data)
                while let end = rest.firstIndex(of: 10) {
                    continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest.removeSubrange(rest.startIndex...end)
                }
            }
            continuation.finish()
        }
    }

    deinit { end() }

    /// Waits until the program is under way, and returns its further output. Each reader gets the rest.
    func ready() async throws -> AsyncStream<String>.AsyncIterator {
        var iterator = lines.makeAsyncIterator()
        guard await iterator.next() == "READY" else { throw Failure() }
        return iterator
    }

    /// Runs the program of Tests/BLEBench to its end. Returns its exit code or a signal's number.
    static func runBench(_ arguments: [String]) throws -> Int32 {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let bench = try Process.run(folder.appendingPathComponent("ble-bench"), arguments: arguments)
        bench.waitUntilExit()
        return bench.terminationStatus
    }

    func end() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    struct Failure: Error {}
}

/// Controllers that hear one another, each with a socket.
final class VirtualControllers: @unchecked Sendable {
    private let directory: TemporaryDirectory
    private let process: BumbleProcess
    let paths: [String]

    init(_ count: Int, _ options: [String] = [], in directory: TemporaryDirectory) async throws {
        self.directory = directory
        paths = (0..<count).map { directory.file("c\($0)") }
        for path in paths { unlink(path) }
        process = try BumbleProcess("virtual-controllers", options + paths.map { "unix-server:\($0)" })
        _ = try await process.ready()
    }

    func end() { process.end() }
}
