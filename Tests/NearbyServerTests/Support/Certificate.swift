import Foundation

/// A certificate and its key, made by openssl.
struct Certificate {
    let certificatePath: String
    let keyPath: String

    /// - Parameters:
    ///   - name: distinguishes it from others.
    ///   - algorithm: a value of `openssl req -newkey`.
    init(_ name: String, in folder: String, algorithm: String = "rsa:2048") throws {
        (certificatePath, keyPath) = ("\(folder)/\(name).pem", "\(folder)/\(name).key")
        let (status, output) = try Certificate.openssl(
            ["req", "-x509", "-newkey", algorithm, "-nodes", "-days", "2", "-subj", "/CN=\(name)"]
                + (algorithm == "ec" ? ["-pkeyopt", "ec_paramgen_curve:prime256v1"] : [])
                + ["-keyout", keyPath, "-out", certificatePath])
        guard status == 0 else { throw OpenSSLFailure(output: output) }
    }

    struct OpenSSLFailure: Error {
        var output: String
    }

    /// Runs openssl, and returns its exit status and its output.
    static func openssl(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
