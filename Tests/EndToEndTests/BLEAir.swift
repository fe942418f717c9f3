import Foundation
import TestSupport

/// Bluetooth controllers that hear one another (Tools/ble/virtual-controllers), each with a socket. They end
/// together with this object.
final class BLEAir: @unchecked Sendable {
    static let python = Repository.path(".build/bumble/bin/python")
    static let isInstalled = FileManager.default.isExecutableFile(atPath: python)

    private let directory = TemporaryDirectory()
    private let process = Process()
    private let input = Pipe()
    /// The radios as `--radio` names them.
    let radios: [String]

    init(_ count: Int = 2, _ options: [String] = []) throws {
        let paths = (0..<count).map { [directory] in directory.file("c\($0)") }
        radios = paths.map { "unix-client:\($0)" }
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: BLEAir.python)
        process.arguments =
            [Repository.path("Tools/ble/virtual-controllers")] + options + paths.map { "unix-server:\($0)" }
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        let ready = output.fileHandleForReading.availableData
        guard ready.starts(with: Data("READY".utf8)) else { throw Failure() }
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    struct Failure: Error {}
}
