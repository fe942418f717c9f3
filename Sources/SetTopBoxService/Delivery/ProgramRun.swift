import FileNames
import Glibc

/// One run of a program: it receives a text, is waited for, and is ended if it takes too long.
package enum ProgramRun {
    package enum End: Sendable, Hashable, CustomStringConvertible {
        case exited(Int32)
        case killed(signal: Int32)
        case tookTooLong(Duration)
        case notStarted(String)

        package var description: String {
            switch self {
            case .exited(let status): "exit status \(status)"
            case .killed(let signal): "ended by signal \(signal)"
            case .tookTooLong(let limit): "took longer than \(limit), and was stopped"
            case .notStarted(let reason): "could not be started: \(reason)"
            }
        }
    }

    /// The time between SIGTERM and SIGKILL.
    private static let grace = Duration.seconds(2)

    /// Runs a program. Its output goes to standard error. Its input is a file of its own, so that a program
    /// that reads none of it blocks nobody.
    package static func run(_ command: [String], input: String, limit: Duration) async -> End {
        let process: pid_t
        do { process = try start(command, input: input) } catch { return .notStarted(error.reason) }
        let began = ContinuousClock.now
        var isEnding = false
        var pause = Duration.milliseconds(2)
        while true {
            var status: Int32 = 0
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return isEnding ? .tookTooLong(limit) : end(status) }
            if ended < 0, errno != EINTR { return .notStarted("another part of this program waited for it") }
            let taken = began.duration(to: .now)
            if taken > limit + grace {
                kill(-process, SIGKILL)
            } else if taken > limit, !isEnding {
                isEnding = true
                kill(-process, SIGTERM)
            }
            // If the task is cancelled, it still waits for the program.
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    private static func end(_ status: Int32) -> End {
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
    }

    private struct StartFailure: Error { var reason: String }

    /// Starts a program in a process group of its own, with no signal blocked. The service's own files close
    /// by themselves.
    private static func start(_ command: [String], input: String) throws(StartFailure) -> pid_t {
        let file = try unnamedFile()
        defer { close(file) }
        let bytes = Array(input.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { write(file, $0.baseAddress! + written, $0.count - written) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StartFailure(reason: String(cString: strerror(errno))) }
            written += count
        }
        lseek(file, 0, SEEK_SET)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, file, 0)
        posix_spawn_file_actions_adddup2(&actions, 2, 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var process = pid_t()
        let code = CStrings.with(command) { arguments in
            CStrings.with(environment) {
                posix_spawn(&process, command[0], &actions, &attributes, arguments, $0)
            }
        }
        guard code == 0 else { throw StartFailure(reason: String(cString: strerror(code))) }
        return process
    }

    /// Opens an unnamed file in memory, or in a folder for temporary files.
    private static func unnamedFile() throws(StartFailure) -> Int32 {
        // Linux's `__O_TMPFILE | O_DIRECTORY`, a macro that Swift does not import.
        let flags = 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC
        for folder in ["/dev/shm", "/tmp", "/var/tmp"] {
            let file = open(folder, flags, 0o600)
            if file >= 0 { return file }
        }
        throw StartFailure(
            reason: "no room for its input in /dev/shm, /tmp or /var/tmp: \(String(cString: strerror(errno)))"
        )
    }

    /// The environment without the variables that concern only this process and its service manager, and
    /// without the API key.
    private static var environment: [String] {
        let own = ["NOTIFY_SOCKET=", "WATCHDOG_", "LISTEN_", "JOURNAL_STREAM=", "NEARBY_KEY="]
        var all: [String] = []
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if !own.contains(where: { text.hasPrefix($0) }) { all.append(text) }
            next += 1
        }
        return all
    }
}

/// A converter of texts into a list of C strings.
package enum CStrings {
    package static func with<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers: [UnsafeMutablePointer<CChar>?] =
            texts.map { FileName.withPath($0) { strdup($0) } } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers)
    }
}
