import Foundation
import Testing

/// A process of `nearby serve`, beside the test program: both are built together. It ends with its last reference.
final class Served {
    let process = Process()
    let url: String
    /// The one that the first server on a database prints.
    let key: String?

    /// Returns when it listens.
    ///
    /// - Parameter more: arguments besides those that every server has.
    init(_ store: String, isFirst: Bool = true, more: [String] = []) throws {
        let (words, data) = (Pipe(), Pipe())
        process.executableURL = Bundle.main.executableURL!.resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "nearby")
        process.arguments = ["serve", "--store", store, "--port", "0", "--log-level", "error"] + more
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = data
        process.standardError = words
        try process.run()
        var text = ""
        while !(text.contains("listening on") && text.hasSuffix("\n")) {
            let chunk = words.fileHandleForReading.availableData
            guard !chunk.isEmpty else { throw CancellationError() }
            text += String(decoding: chunk, as: UTF8.self)
        }
        // nearby: status at http://127.0.0.1:8481
        // nearby: listening on http://127.0.0.1:8480
        url = String(try #require(text.split(whereSeparator: \.isWhitespace).last))
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

    /// Returns when it has ended.
    func end(_ signal: Int32) {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }
}
