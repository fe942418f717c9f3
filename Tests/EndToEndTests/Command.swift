import FileNames
import Glibc
import TestSupport

/// A built program that runs in a directory of its own, as people run it.
struct Command {
    let directory = TemporaryDirectory()
    var program = Command.program

    struct Outcome {
        /// The exit code, or 128 + the signal that ended it: a trap is 132 or 133.
        var status: Int32
        var output: [UInt8]
        var errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
        var lines: [Substring] { text.split(separator: "\n") }
        var errorLines: [Substring] { errors.split(separator: "\n") }
    }

    /// Runs the program to its end. Relative paths are in ``directory``.
    func run(_ arguments: [String], input: [UInt8] = [], output: String? = nil) -> Outcome {
        directory.write(input, to: ".input")
        let process = start(arguments, input: directory.file(".input"), output: output)
        let outcome = Outcome(
            status: wait(process), output: output == nil ? directory.read(".output") ?? [] : [],
            errors: String(decoding: directory.read(".errors") ?? [], as: UTF8.self))
        for name in [".input", ".output", ".errors"] { unlink(directory.file(name)) }
        return outcome
    }

    func run(_ arguments: String...) -> Outcome { run(arguments) }

    /// Starts the program and returns its process number. Signals end it even if the tests were started to
    /// ignore them, as with nohup.
    ///
    /// - Parameter environment: settings besides the usual ones.
    func start(
        _ arguments: [String], input: String, output: String? = nil, environment: [String] = []
    ) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output ?? directory.file(".output"), flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, directory.file(".errors"), flags, 0o600)
        var process = pid_t()
        let code = withStrings(["env", "--default-signal", "-C", directory.path, program] + arguments) {
            arguments in
            withStrings(["COLUMNS=80", "LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin"] + environment) { environment in
                posix_spawn(&process, "/usr/bin/env", &actions, nil, arguments, environment)
            }
        }
        guard code == 0 else {
            fatalError("\(program) does not start: \(String(cString: strerror(code)))")
        }
        return process
    }

    func wait(_ process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// The path of the modem's program.
    static let program = path(of: "nearby-modem")

    /// The engine's program.
    static var nearby: Command { Command(program: path(of: "nearby")) }

    /// Returns a program's path. It lies beside the test program, because both are built together.
    static func path(of name: String) -> String {
        guard let path = realpath("/proc/self/exe", nil) else { fatalError("no /proc") }
        defer { free(path) }
        let components = String(cString: path).split(separator: "/").dropLast()
        return "/\(components.joined(separator: "/"))/\(name)"
    }
}

private func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers: [UnsafeMutablePointer<CChar>?] =
        strings.map { FileName.withPath($0) { strdup($0) } } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
}
