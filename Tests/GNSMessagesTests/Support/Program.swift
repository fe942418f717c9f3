import Dispatch
import Foundation
import Glibc

/// Another program, which runs to its end or until it is killed or released. Its output is read line by line.
final class Program: @unchecked Sendable {
    private let process: pid_t
    private let output: Int32
    private let lock = NSLock()
    /// The status that `waitpid` returned; `nil` until the program has ended.
    private var status: Int32?

    /// A lock that is held while there are ends of pipes that a program started meanwhile would inherit.
    private static let starting = NSLock()

    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        var ends: [Int32] = [0, 0]
        Program.starting.lock()
        defer { Program.starting.unlock() }
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        output = ends[0]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            close(ends[1])
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let settings = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let words = ["env"] + settings + [path] + arguments
        let pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var process = pid_t()
        let code = posix_spawn(&process, "/usr/bin/env", &actions, nil, pointers, environ)
        self.process = process
        guard code == 0 else { throw POSIXError(.ENOEXEC) }
    }

    deinit {
        kill()
        close(output)
    }

    func kill() {
        lock.withLock { if status == nil { Glibc.kill(process, SIGKILL) } }
        wait()
    }

    @discardableResult
    private func wait() -> Int32 {
        lock.withLock {
            if let status { return status }
            var ended: Int32 = 0
            while waitpid(process, &ended, 0) < 0 && errno == EINTR {}
            status = ended
            return ended
        }
    }

    /// Returns the next line of the output; `nil` at its end. It waits outside the threads on which tasks
    /// run.
    func line() async -> String? {
        await waiting { [self] in
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while read(output, &byte, 1) == 1 {
                if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
                bytes.append(byte)
            }
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
    }

    struct Outcome: Sendable {
        /// The exit code, or 128 + the signal that ended the program.
        var status: Int32
        var output: String
    }

    private func outcome() async -> Outcome {
        await waiting { [self] in
            var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
            while case let count = read(output, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
            let ended = wait()
            let signal = ended & 0x7F
            return Outcome(
                status: signal == 0 ? (ended >> 8) & 0xFF : 128 + signal,
                output: String(decoding: bytes, as: UTF8.self))
        }
    }

    static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Outcome {
        try await Program(path, arguments, environment: environment).outcome()
    }

    /// Returns the path of one of this package's programs, which is built beside the tests.
    static func built(_ name: String) throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    }
}

private func waiting<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
}
