import TestSupport
import Testing

/// Tests of `curve` at values of Eb/N0 where the result is known without a measurement.
@Suite struct CurveTests {
    private let command = Command()

    /// At 2 dB below the limit of any receiver nothing is heard, and at 12 dB above it everything.
    @Test func ends() {
        let outcome = command.run(
            "curve", "--profile", "dsss-quick", "--from", "-4", "--to", "12", "--step", "16", "--trials",
            "12", "--csv")
        #expect(outcome.status == 0)
        let points = outcome.lines.dropFirst(2).map { $0.split(separator: ",") }
        #expect(points.map { $0[0] } == ["-4.00", "12.00"])
        #expect(points.map { $0[2] } == ["0", "12"])
        #expect(points.map { $0[4] } == ["0", "0"])
    }

    /// The points are equal in all columns except the last one, the processor time.
    @Test func threadsDoNotMatter() {
        func points(_ threads: String) -> [String] {
            let outcome = command.run(
                "curve", "--profile", "dsss-quick", "--from", "3", "--to", "4", "--step", "1", "--trials",
                "8", "--csv",
                "--threads", threads)
            return outcome.lines.dropFirst(2).map {
                $0.split(separator: ",").dropLast().joined(separator: ",")
            }
        }
        let one = points("1")
        #expect(one.count == 2)
        #expect(one == points("3"))
    }

    @Test func resumesWhereItStopped() {
        let arguments = [
            "curve", "--profile", "dsss-quick", "--from", "10", "--step", "1", "--trials", "2", "--csv",
            "--resume",
            "log.csv",
        ]
        let first = command.run(arguments + ["--to", "10"])
        let second = command.run(arguments + ["--to", "11"])
        #expect(first.status == 0 && second.status == 0)
        // The line is equal word for word, processor time included, because it was not measured again.
        #expect(second.lines[2] == first.lines[2])
        let log = String(decoding: command.directory.read("log.csv") ?? [], as: UTF8.self)
        #expect(log.split(separator: "\n") == second.lines)
        // A full disk has left a part of a line. The point is measured again, and no line is damaged.
        let part = command.directory.read("log.csv")?.dropLast(7) ?? []
        command.directory.write(Array(part), to: "log.csv")
        #expect(command.run(arguments + ["--to", "11"]).status == 0)
        let mended = String(decoding: command.directory.read("log.csv") ?? [], as: UTF8.self)
        #expect(mended.split(separator: "\n").count == second.lines.count)
        #expect(mended.hasPrefix(log.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"))
        let other = command.run(arguments + ["--to", "11", "--seed", "2"])
        #expect(other.status == 65)
        #expect(other.errorLines.count == 1)
    }

    @Test func noiseAloneGivesNoToken() {
        let outcome = command.run("curve", "--profile", "dsss-quick", "--noise-hours", "0.02")
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("dsss-quick: 0 wrong tokens in 0.02 h of white noise, seed 1"))
    }

    @Test(arguments: [
        ["--from", "3", "--to", "2"], ["--step", "0"], ["--step", "nan"], ["--step", "1e-300"],
        ["--to", "inf"],
        ["--trials", "0"], ["--threads", "0"], ["--noise-hours", "0"], ["--noise-hours", "1e300"],
        ["--drr", "nan"],
        ["--rt60", "0"], ["--token-bytes", "33"], ["--repeats", "0"], ["--lane", "4"], ["--speed", "fast"],
        ["--tone", "24000:0"], ["--speed", "31"], ["--walk", "1"], ["--walk", "fast", "--rt60", "0.3"],
        ["--walk", "1", "--speed", "1", "--rt60", "0.3"],
        ["--walk", "1", "--rt60", "0.3", "--rate", "41000"],
        ["--room", "image:0.9"], ["--room", "image"], ["--room", "image:0.2", "--rt60", "0.2"],
        ["--room", "image:0.2:-1"], ["--tilt", "nan"], ["--distortion", "11"], ["--notch", "19000"],
        ["--notch", "19000:20:0"],
        ["--agc", "6"], ["--agc", "6:0"], ["--dropout", "random"], ["--dropout", "-1:1"],
        ["--cut-head", "-1"], ["--clicks", "5"], ["--clicks", "1e9:0"], ["--tone", "random"],
        ["--chunks", "0"], ["--senders", "0"], ["--spread", "-1"], ["--gap", "-1"], ["--gap", "nan"],
    ])
    func badRequestsAreRefused(arguments: [String]) {
        let outcome = command.run(["curve"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.output.isEmpty)
    }
}
