import Foundation
import NearbyTestSupport
import TestSupport
import Testing

/// A process of `nearby serve`, beside the test program: both are built together. It ends with its last reference.
final class Served {
    let process = Process()
    let url: String
    /// The one that the first server on a database prints.
    let key: String?
    private let heard = Locked("")
    private let errors: FileHandle

    /// On a database of PostgreSQL. Returns when it listens.
    convenience init(_ store: String, isFirst: Bool = true) throws {
        try self.init(arguments: ["--store", store], isFirst: isFirst)
    }

    /// On a folder of its own. Returns when it listens.
    ///
    /// - Parameters:
    ///   - more: arguments besides those that every server has.
    ///   - isFirst: whether it makes the folder's database, and prints a key.
    ///   - limit: shell commands that hinder the server; nil: nothing does.
    ///   - clocks: what it reads of the clocks; nil: this machine's.
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

    /// Host and port.
    var authority: String { String(url.split(separator: "/").last!) }
    /// All that it said on standard error, as far as it was waited for.
    var words: String { heard.withLock { $0 } }

    /// Returns whether it says so, now or before it ends.
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

    /// Returns when it has ended.
    func end(_ signal: Int32) {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }
}
