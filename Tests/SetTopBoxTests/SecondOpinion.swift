import Foundation
import Testing

/// The answer of Python's standard library, an independent implementation, to the same question.
enum SecondOpinion {
    /// Returns the script's output for this standard input.
    static func ask(_ script: String, _ input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        let (asked, answered) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (asked, answered)
        try process.run()
        try asked.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try asked.fileHandleForWriting.close()
        let answer = answered.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: answer, as: UTF8.self)
    }
}
