import Glibc
import TestSupport
import Testing

/// Tests of recordings that cannot be repeated: the files of `listen --record` and `--snip` when the program
/// is killed or the disk is full. `Tools/bench/live-recordings` does the same fifty and twenty times.
@Suite(.serialized) struct LiveRecordingTests {
    private let folder = TemporaryDirectory()
    private let shell = Command(program: "/bin/bash")

    private var environment: [String] {
        ["ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:\(folder.file("asound.conf"))"]
    }

    /// Defines a device that plays two tokens, faster than real time, and then silence.
    private func makeReceiver() {
        let text = """
            pcm.tape { type file slave.pcm null file "\(folder.file("tape"))" format raw }
            pcm.ear { type file slave.pcm null file "/dev/null" infile "\(folder.file("tape"))" format raw }

            """
        folder.write(Array(text.utf8), to: "asound.conf")
        let transmit = RunningCommand(
            [
                "transmit", "--device", "tape", "--token", "cafebabe", "--profile", "dsss-quick", "--count",
                "2",
            ],
            environment: environment)
        #expect(transmit.finish().status == 0)
    }

    private func run(_ script: String) -> Command.Outcome {
        RunningCommand(
            ["-c", "modem() { '\(Command.program)' \"$@\"; }; \(script)"], of: shell, environment: environment
        ).finish(withinSeconds: 60)
    }

    /// Returns the seconds that a recording's header announces (48 kHz, 16 bits, one channel), as any reader
    /// takes them.
    private func seconds(_ directory: TemporaryDirectory, _ name: String) -> Double {
        guard let bytes = directory.read(name), bytes.count >= 80 else { return 0 }
        let size = (0..<4).reduce(0) { $0 | Int(bytes[76 + $1]) << (8 * $1) }
        return bytes.count >= 80 + size ? Double(size) / 96_000 : -1
    }

    /// In real time, at most 5 s are missing at any moment, and the killed program's file can be read.
    @Test func aKilledListener() throws {
        let air = VirtualAir()
        let listener = air.start(
            "listen", "--device", "air_in", "--profile", "dsss-quick", "--record", "r.wav")
        let directory = listener.directory
        #expect(directory.wait(for: "r.wav", bytes: 80))
        let start = ContinuousClock.now
        // The file has grown past the first header that announces sound.
        #expect(directory.wait(for: "r.wav", bytes: 80 + 3 * 96_000))
        listener.signal(SIGKILL)
        #expect(listener.finish().status == 128 + SIGKILL)
        let sounded = start.duration(to: .now) / .seconds(1)
        let kept = seconds(directory, "r.wav")
        #expect(kept > 0 && sounded - kept <= 5, "\(kept) s of \(sounded) s")
        let decoded = Command().run("decode", "--profile", "dsss-quick", directory.file("r.wav"))
        // Sound that the header does not announce yet is read too, with a message.
        let said = decoded.errorLines.filter { !$0.contains("more are there and are read too") }
        #expect(decoded.status == 1 && said.count == 1, "\(decoded.errors)")
    }

    /// For every program `ulimit -f` is like a full disk. 40 KiB are kept, one message says so, and both
    /// tokens are heard.
    @Test func aFileThatMayNotGrow() {
        makeReceiver()
        let outcome = run(
            "ulimit -f 40; modem listen --device ear --profile dsss-quick --count 2 --record r.wav --snip snips"
        )
        #expect(outcome.status == 74)
        #expect(outcome.lines.count == 2)
        let said = outcome.errorLines.filter { $0.contains("r.wav: ") }
        #expect(said.count == 1 && said[0].hasSuffix("is kept, and listening continues"), "\(outcome.errors)")
        #expect(outcome.errors.contains("snips: 2 snips lost"), "\(outcome.errors)")
        #expect(outcome.errorLines.count { $0.contains("this snip is lost") } == 1, "\(outcome.errors)")
        #expect(seconds(shell.directory, "r.wav") == Double(40 * 1024 - 80) / 96_000)
        rmdir(shell.directory.file("snips"))
    }

    /// A disk of 64 KiB is mounted for this test alone.
    @Test(.enabled(if: mayMount, "mounting needs root, or user namespaces")) func aFullDisk() {
        makeReceiver()
        shell.directory.write([], to: "kept")
        let outcome = run(
            """
            mkdir d; unshare -m bash -c 'mount -t tmpfs -o size=64k tmpfs d; \
            "\(Command.program)" listen --device ear --profile dsss-quick --count 2 --record d/r.wav; \
            status=$?; cp d/r.wav kept; exit $status'
            """)
        #expect(outcome.status == 74 && outcome.lines.count == 2, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("d/r.wav: the disk is full; the recording ends after 0.7 s"),
            "\(outcome.errors)")
        #expect(seconds(shell.directory, "kept") > 0.6)
    }

    /// These errors come before a device is opened, so that there is no message about the device.
    @Test(arguments: [
        ("--record nowhere/r.wav", 73, "nowhere/r.wav: no such directory; create it first"),
        ("--record .", 73, ".: is a directory; name a file in it"),
        ("--snip nowhere/snips", 73, "nowhere/snips: the folder it is in is missing; create that first"),
        ("--snip input", 73, "input: is not a folder; name another one"),
        ("--snip /proc/snips", 73, "/proc/snips: the folder it is in is missing; create that first"),
        (
            "--record -", 64,
            "--record - would mix sound with the lines of tokens; name a file or a pipe (--help tells more)"
        ),
        ("--count 0", 64, "--count must be 1 or more, not 0 (--help tells more)"),
    ])
    func whatCannotBeUsedIsRefused(arguments: String, status: Int32, line: String) {
        let outcome = run("modem listen --device nowhere \(arguments)")
        #expect(outcome.status == status)
        #expect(outcome.errors == "nearby-modem: \(line)\n")
    }

    /// The program waits for a pipe without a reader, and one signal ends that.
    @Test func aPipeThatNobodyReads() {
        let outcome = run(
            "mkfifo pipe; timeout -k 15 1 '\(Command.program)' listen --device null --record pipe")
        #expect(outcome.status == 124, "\(outcome.errors)")
    }

    /// Like `subscribe --count`, the program prints so many lines and ends with 0.
    @Test func countedTokens() {
        makeReceiver()
        let outcome = run("modem listen --device ear --profile dsss-quick --count 1")
        #expect(outcome.status == 0 && outcome.lines.count == 1, "\(outcome.errors)")
    }

    private static let mayMount =
        Command(program: "/bin/sh").run("-c", "unshare -m mount -t tmpfs tmpfs /mnt 2>&1").status == 0
}
