import Foundation
import Glibc
import TestSupport

/// A virtual sound card: a PulseAudio null sink, available as the ALSA PCMs `air_out` and `air_in` (what it
/// plays), with a server of its own that ends with it. It is bit-exact at 48 kHz.
final class VirtualAir {
    let command: Command
    private let folder = TemporaryDirectory()
    private var server: Process?

    /// The environment in which programs find these devices.
    var environment: [String] {
        ["HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(folder.path)", "PULSE_RUNTIME_PATH=\(folder.path)"]
            + ["ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:\(folder.file("asound.conf"))"]
    }

    init() {
        let socket = folder.file("native")
        folder.write(
            Array(
                """
                load-module module-native-protocol-unix socket=\(socket) auth-anonymous=1
                load-module module-null-sink sink_name=air format=s16le rate=48000 channels=1 channel_map=mono

                """.utf8), to: "air.pa")
        folder.write(
            Array(
                """
                pcm.air_out { type pulse server "unix:\(socket)" device "air" }
                pcm.air_in { type pulse server "unix:\(socket)" device "air.monitor" }

                """.utf8), to: "asound.conf")
        command = Command()
        startServer()
    }

    deinit {
        stopServer()
        try? FileManager.default.removeItem(atPath: folder.file(".config"))
    }

    func startServer() {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            environment + [
                "pulseaudio", "-n", "-F", folder.file("air.pa"), "--daemonize=no", "--exit-idle-time=-1",
                "--use-pid-file=no", "--disable-shm=yes", "--log-level=error",
            ]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { fatalError("pulseaudio does not start: \(error); Tools/install") }
        server = process
        for _ in 0..<100 where access(folder.file("native"), F_OK) != 0 { usleep(50_000) }
    }

    func stopServer() {
        guard let server else { return }
        kill(server.processIdentifier, SIGKILL)
        server.waitUntilExit()
        unlink(folder.file("native"))
        self.server = nil
    }

    /// Starts the program among these devices.
    func start(_ arguments: String..., input: [UInt8] = []) -> RunningCommand {
        RunningCommand(arguments, environment: environment, input: input)
    }
}

/// A program while it runs.
final class RunningCommand {
    private let command: Command
    private let process: pid_t

    /// The directory in which it runs; relative paths are in it.
    var directory: TemporaryDirectory { command.directory }

    init(
        _ arguments: [String], of command: Command = Command(), environment: [String] = [],
        input: [UInt8] = []
    ) {
        self.command = command
        command.directory.write(input, to: "input")
        process = command.start(arguments, input: command.directory.file("input"), environment: environment)
    }

    /// The lines that it has printed so far.
    var lines: [Substring] {
        String(decoding: command.directory.read(".output") ?? [], as: UTF8.self).split(separator: "\n")
    }

    var errors: String { String(decoding: command.directory.read(".errors") ?? [], as: UTF8.self) }

    /// Waits until it has printed so many lines. Returns false if that takes too long.
    func waitForLines(_ count: Int, seconds: Double) -> Bool { wait(seconds) { lines.count >= count } }

    /// Waits until it has printed a line with these words.
    func waitForLine(containing words: String, seconds: Double) -> Bool {
        wait(seconds) { lines.contains { $0.contains(words) } }
    }

    /// Waits until it has printed this on standard error.
    func waitForWords(_ words: String, seconds: Double) -> Bool { wait(seconds) { errors.contains(words) } }

    private func wait(_ seconds: Double, _ isDone: () -> Bool) -> Bool {
        for _ in 0..<Int(seconds * 50) {
            if isDone() { return true }
            usleep(20_000)
        }
        return isDone()
    }

    /// Sends the signal of Ctrl-C.
    func interrupt() { signal(SIGINT) }

    func signal(_ signal: Int32) { kill(process, signal) }

    /// Returns its end, which must come within some seconds. Otherwise it is killed, and its status is 137.
    func finish(withinSeconds seconds: Double = 20) -> Command.Outcome {
        var status: Int32 = 0
        let isOver = wait(seconds) { waitpid(process, &status, WNOHANG) == process }
        if !isOver {
            kill(process, SIGKILL)
            waitpid(process, &status, 0)
        }
        let signal = status & 0x7F
        return Command.Outcome(
            status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
            output: command.directory.read(".output") ?? [], errors: errors)
    }
}
