import Glibc

/// A shift of the clocks of programs that a test starts, also while they run. A library that is preloaded
/// into them adds to the clocks' readings (`Tests/ClockShift`).
package final class ClockShift {
    private let directory = TemporaryDirectory()

    /// Makes a shift.
    ///
    /// - Parameter wallSeconds: the time by which the wall clock is ahead of this machine's.
    ///
    /// Fails if `clang`, which comes with the Swift toolchain, cannot compile the library.
    package init(wallSeconds: Double = 0) {
        set(wallSeconds: wallSeconds)
        let source = Repository.path("Tests/ClockShift/clock_shift.c")
        var process = pid_t()
        let words = ["clang", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        guard posix_spawnp(&process, words[0], nil, nil, &arguments, environ) == 0 else {
            fatalError("\(words[0]) does not start")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard status == 0 else { fatalError("\(source) does not compile: status \(status)") }
    }

    private var library: String { directory.file("clock_shift.so") }

    /// The environment variables that a program must be started with.
    package var environment: [String] {
        ["LD_PRELOAD=\(library)", "CLOCK_SHIFT_FILE=\(directory.file("shift"))"]
    }

    /// Changes the shift. Programs see both numbers change at once.
    ///
    /// - Parameters:
    ///   - wallSeconds: the time by which `CLOCK_REALTIME` is ahead of this machine's.
    ///   - bootSeconds: the same for `CLOCK_BOOTTIME`, which all waits and deadlines use. It must not go
    ///     back.
    package func set(wallSeconds: Double, bootSeconds: Double = 0) {
        directory.write(Array("\(wallSeconds) \(bootSeconds)\n".utf8), to: "next")
        guard rename(directory.file("next"), directory.file("shift")) == 0 else {
            fatalError("the shift cannot be written")
        }
    }
}
