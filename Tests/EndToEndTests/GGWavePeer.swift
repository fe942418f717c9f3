import Foundation
import TestSupport

/// The original ggwave, installed by `Tools/peers/install`.
enum GGWavePeer {
    static let python = Repository.path(".build/peers/bin/python")
    static let isInstalled = FileManager.default.isExecutableFile(atPath: python)

    /// Returns a payload in the form that `Tools/peers/ggwave_peer.py` takes and prints.
    static func hex(_ payload: [UInt8]) -> String {
        payload.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Encodes a payload; ggwave names a protocol by its number.
    static func encode(_ payload: String, protocol number: Int, _ options: [String]) throws -> [UInt8] {
        try run(["encode", "\(number)", payload, "--volume", "100"] + options)
    }

    /// Returns the payloads heard, in hexadecimal.
    static func decode(_ samples: [UInt8], _ options: [String]) throws -> [String] {
        let text = try run(["decode"] + options, input: samples)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func run(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        let directory = TemporaryDirectory()
        directory.write(input, to: "input")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [Repository.path("Tools/peers/ggwave_peer.py")] + arguments
        process.standardInput = FileHandle(forReadingAtPath: directory.file("input"))
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return [UInt8](bytes)
    }
}
