import Foundation
import NearbyTestSupport
import TestSupport
import Testing

/// A process of `nearby serve`, which is built together with the test program and lies beside it. It ends
/// with its last reference.
final class Served {
    let process = Process()
    let url: String
    /// The key that the first server on a database prints.
    let key: String?
    private let heard = Locked("")
    private let errors: FileHandle

    /// Starts a server on a PostgreSQL database. It returns when the server listens.
    convenience init(_ store: String, isFirst: Bool = true) throws {
        try self.init(arguments: ["--store", store], isFirst: isFirst)
    }

    /// Starts a server on a folder of its own. It returns when the server listens.
    ///
    /// - Parameters:
    ///   - more: arguments besides those that every server has.
    ///   - isFirst: true if the server makes the folder's database, and prints a key.
    ///   - limit: shell commands that hinder the server; `nil` if nothing does.
    ///   - clocks: the clocks that the server reads; `nil` means this machine's.
    convenience init(
        data: String, more: [String] = [], isFirst: Bool = true, limit: String? = nil,
        clocks: ClockShift? = nil
    ) throws {
        try self.init(arguments: ["--data", data] + more, isFirst: isFirst, limit: limit, clocks: clocks)
    }

    private init(
        arguments: [String], isFirst: Bool, limit: String? = nil, clocks: ClockShift? = nil
    ) throws {
        let (words, data) = (Pipe(), Pipe())
        process.executableURL = Bundle.main.executableURL!.resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "nearby")
        let arguments = ["serve", "--port", "0", "--log-level", "error"] + arguments
        process.arguments = arguments
        if let limit {
            let program = process.executableURL!.path
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "\(limit); exec \"$0\" \"$@\"", program] + arguments
        }
        if let clocks {
            var environment = ProcessInfo.processInfo.environment
            for setting in clocks.environment {
                let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
                environment[parts[0]] = parts[1]
            }
            process.environment = environment
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = data
        process.standardError = words
        errors = words.fileHandleForReading
        try process.run()
        // nearby: status at http://127.0.0.1:8481
        // nearby: listening on http://127.0.0.1:8480
        let listening = "nearby: listening on "
        guard Served.read(errors, into: heard, until: { $0.contains(listening) && $0.hasSuffix("\n") }) else {
            throw CancellationError()
        }
        let line = heard.withLock { $0 }.split(separator: "\n").last { $0.hasPrefix(listening) }
        url = String(try #require(line).dropFirst(listening.count))
        guard isFirst else {
            key = nil
            return
        }
        key = String(decoding: data.fileHandleForReading.availableData, as: UTF8.self)
            .split(separator: "\n").first.map(String.init)
    }

    deinit {
        if process.isRunning { end(SIGKILL) }
    }

    /// The host and the port.
    var authority: String { String(url.split(separator: "/").last!) }
    /// The server's output on standard error, as far as the tests have waited for it.
    var words: String { heard.withLock { $0 } }

    /// Returns true if the server prints these words, now or before it ends.
    func wait(for words: String) -> Bool { Served.read(errors, into: heard) { $0.contains(words) } }

    private static func read(
        _ file: FileHandle, into heard: Locked<String>, until isEnough: (String) -> Bool
    ) -> Bool {
        while !isEnough(heard.withLock { $0 }) {
            let chunk = file.availableData
            guard !chunk.isEmpty else { return false }
            heard.withLock { $0 += String(decoding: chunk, as: UTF8.self) }
        }
        return true
    }

    /// Sends a signal, and returns when the server has ended.
    func end(_ signal: Int32) {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }
}
