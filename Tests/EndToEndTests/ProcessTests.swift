import Glibc
import TestSupport
import Testing

/// Tests of inherited signals and standard streams, whose rule is in `Sources/CommandOutput/README.md`.
@Suite(.serialized) struct ProcessTests {
    private let command = Command()
    private let shell: Command

    init() { shell = Command(program: "/bin/bash") }

    /// Runs a script in which `modem` is the program.
    private func run(_ script: String) -> Command.Outcome {
        shell.run("-c", "modem() { '\(Command.program)' \"$@\"; }; \(script)")
    }

    private func makeRecordings() {
        let made = run(
            "modem encode --text hi --profile dsss-quick -o a.wav; for n in b c d; do cp a.wav $n.wav; done")
        #expect(made.status == 0, "\(made.errors)")
    }

    /// The program ends by SIGPIPE, without a message, at the first line that nobody reads. This holds even
    /// if SIGPIPE is ignored.
    @Test(arguments: ["", "trap '' PIPE;"]) func aReaderThatGoes(before: String) {
        makeRecordings()
        // The last file is missing: a program that reaches it would report that.
        let decode = run(
            "\(before) (modem decode a.wav b.wav c.wav d.wav e.wav; echo $? >&2) | sleep 0")
        #expect(decode.errors == "141\n")
        let encode = run("\(before) (modem encode --text hi --repeat 20 -o -; echo $? >&2) | sleep 0")
        #expect(encode.errors == "141\n")
    }

    /// Nothing is heard and therefore nothing written. The program ends all the same, and its recording is
    /// whole.
    @Test func aReaderThatGoesWhileNothingIsHeard() throws {
        let outcome = run(
            """
            (modem listen --device null --profile dsss-quick --record r.wav; echo $? >&2) |
            until [ "$(stat -c %s r.wav 2>/dev/null || echo 0)" -gt 100000 ]; do sleep 0.01; done
            """)
        #expect(outcome.errors == "141\n")
        let kept = run("modem decode --profile dsss-quick r.wav")
        #expect(
            kept.status == 1 && kept.errors.contains("r.wav: no token found; all samples are zero"),
            "\(kept.errors)")
    }

    /// The same holds for endless silence from a pipe.
    @Test func aReaderThatGoesWhileDecodingSilence() {
        let outcome = run(
            "(timeout 60 '\(Command.program)' decode --raw s16 --profile dsss-quick - </dev/zero; echo $? >&2) | sleep 0"
        )
        #expect(outcome.errors == "141\n")
    }

    /// `nearby` does the same, although it hears nobody.
    @Test(arguments: [
        "subscribe --offline shop.key --only-scan --capture null", "ble scan --radio loopback:",
    ])
    func aReaderOfNearbyThatGoes(arguments: String) {
        let nearby = Command.nearby.program
        #expect(run("'\(nearby)' offline create shop -o shop.key").status == 0)
        let outcome = run("(timeout 60 '\(nearby)' \(arguments); echo $? >&2) | sleep 0")
        #expect(outcome.errors.hasSuffix("141\n"), "\(outcome.errors)")
    }

    @Test func standardOutputThatIsClosedOrFull() {
        makeRecordings()
        let closed = run("modem decode a.wav b.wav >&-")
        #expect(closed.status == 74)
        #expect(
            closed.errors
                == "nearby-modem: standard output is closed; send it to a file, a pipe or /dev/null\n")
        let full = run("modem decode a.wav b.wav >/dev/full")
        #expect(full.status == 74)
        #expect(full.errors == "nearby-modem: standard output: writing failed: No space left on device\n")
    }

    /// Help and the version are data as well. So are those of `nearby`, which opens files before its first
    /// line.
    @Test(arguments: ["nearby-modem", "nearby"], ["--help", "--version", "help"])
    func helpThatCannotBeWritten(name: String, word: String) {
        let program = "'\(Command.path(of: name))' \(word)"
        for (stream, words) in [
            (">&-", "is closed; send it to a file, a pipe or /dev/null"),
            (">/dev/full", "writing failed: No space left on device"),
        ] {
            let outcome = run("\(program) \(stream)")
            #expect(outcome.status == 74)
            #expect(
                outcome.errors.hasSuffix("standard output\(words.hasPrefix("is") ? " " : ": ")\(words)\n"))
            #expect(outcome.errorLines.count == 1)
        }
    }

    /// No file gets the number of a closed stream, so that no line of tokens gets into a file.
    @Test func aClosedStreamStaysClosed() {
        makeRecordings()
        let outcome = run(
            "modem probe --write p.wav; modem plot a.wav -o p.png <&- >&-; echo $?; head -c 4 p.png | tail -c 3"
        )
        #expect(outcome.text == "0\nPNG", "\(outcome.errors)")
        let input = run("modem decode - <&-")
        #expect(input.status == 66)
        #expect(
            input.errors == "nearby-modem: -: standard input is closed; pipe a WAV into it or name a file\n")
    }

    @Test(arguments: ["2>&-", "2> >(sleep 0)", "2>/dev/full"]) func standardErrorThatNobodyReads(
        stream: String
    ) {
        makeRecordings()
        let outcome = run("modem decode missing.wav a.wav \(stream)")
        #expect(outcome.status == 66 && outcome.lines.count == 1)
    }

    /// `nohup` ignores SIGHUP, and a shell without job control ignores SIGINT for what it starts with `&`.
    @Test(arguments: [("HUP", SIGHUP), ("INT", SIGINT)]) func whatWasIgnoredStaysIgnored(
        name: String, number: Int32
    ) {
        let listener = RunningCommand(
            [
                "-c",
                "trap '' \(name); exec '\(Command.program)' listen --device null --profile dsss-quick --record r.wav",
            ], of: shell)
        #expect(shell.directory.wait(for: "r.wav", bytes: 44))
        listener.signal(number)
        listener.signal(number)
        // It goes on recording.
        let before = shell.directory.byteCount("r.wav")
        #expect(shell.directory.wait(for: "r.wav", bytes: before + 1))
        listener.signal(SIGTERM)
        #expect(listener.finish().status == 1)
    }

    /// The same holds for `nearby`, which advertises to its end.
    @Test func nearbyLeavesIgnoredSignalsIgnored() {
        let start = ContinuousClock.now
        let nearby = Command.nearby.program
        let advertiser = RunningCommand(
            [
                "-c",
                "trap '' INT; exec '\(nearby)' ble advertise --radio loopback: --token 0102030405060708 --for 2",
            ],
            of: shell)
        #expect(advertiser.waitForWords("on air", seconds: 20))
        advertiser.interrupt()
        #expect(advertiser.finish().status == 0)
        #expect(start.duration(to: .now) >= .seconds(2))
    }

    /// A capture on a full disk ends with a whole packet, and everything else goes on.
    @Test func aCaptureThatMayNotGrow() {
        let nearby = Command.nearby.program
        // A pipe is needed, because the limit applies to the file of standard error, too.
        let outcome = shell.run(
            "-c",
            "(prlimit --fsize=150 '\(nearby)' ble advertise --radio loopback: --token 0102030405060708 --for 1 --capture-file c; "
                + "echo $?) 2>&1 | cat")
        #expect(outcome.lines.last == "74")
        #expect(outcome.text.contains("on air"), "\(outcome.text)")
        let said =
            "nearby: c: writing failed: File too large; the capture ends and is kept; everything else continues"
        #expect(outcome.lines.count { $0 == said } == 1, "\(outcome.text)")
        let kept = shell.directory.read("c") ?? []
        var end = 16
        while end + 24 < kept.count { end += 24 + Int(kept[end + 3]) }
        #expect(end == kept.count && end > 16)
    }

    /// Each of these signals ends the program in good order if it was not ignored.
    @Test(arguments: [SIGHUP, SIGINT, SIGTERM]) func signalsEndInGoodOrder(number: Int32) {
        let listener = RunningCommand(
            ["listen", "--device", "null", "--profile", "dsss-quick", "--record", "r.wav"], of: command)
        #expect(command.directory.wait(for: "r.wav", bytes: 44))
        listener.signal(number)
        let outcome = listener.finish()
        #expect(outcome.status == 1 && outcome.errors.contains("received 0 tokens"), "\(outcome.errors)")
    }
}

extension TemporaryDirectory {
    func byteCount(_ name: String) -> Int {
        var status = stat()
        return stat(file(name), &status) == 0 ? Int(status.st_size) : 0
    }

    /// Waits until a file has at least so many bytes. Returns false if that takes more than 20 s.
    func wait(for name: String, bytes: Int) -> Bool {
        for _ in 0..<2000 {
            if byteCount(name) >= bytes { return true }
            usleep(10_000)
        }
        return false
    }
}
