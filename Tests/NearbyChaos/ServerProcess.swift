import Foundation
import Glibc

/// A `nearby serve` that is killed and started again, on the same data and the same port.
// Only one operation at a time uses it.
final class ServerProcess: @unchecked Sendable {
    private let program: String
    private let arguments: [String]
    private let port: Int
    private var process: Process?
    /// The key that the first start printed.
    private(set) var key = ""

    init(program: String, store: [String], port: Int) {
        (self.program, self.port) = (program, port)
        arguments =
            ["serve", "--port", "\(port)", "--registrations-per-address", "100000", "--log-level", "error"]
            + store
    }

    deinit { kill() }

    var address: String { "http://127.0.0.1:\(port)" }

    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        self.process = process
        if key.isEmpty {
            // It prints one line, the first time.
            var line = Data()
            while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
                line += byte
            }
            key = String(decoding: line, as: UTF8.self)
        }
    }

    /// Kills the server like `kill -9`.
    func kill() {
        guard let process else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }
}
