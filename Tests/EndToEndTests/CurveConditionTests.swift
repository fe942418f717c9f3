import TestSupport
import Testing

@Suite struct CurveConditionTests {
    /// Far over the threshold, all tokens are heard through every impairment at once, and the table names the
    /// impairments.
    @Test func everyImpairmentOfTheChannel() {
        let command = Command()
        #expect(
            command.run("encode", "--text", "other", "--profile", "dsss-quick", "-o", "other.wav").status == 0
        )
        let outcome = command.run(
            "curve", "--from", "12", "--to", "12", "--trials", "6", "--skew", "-300", "--clip", "0.1",
            "--rate",
            "44100", "--programme", "other.wav:-20")
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("| 12.00 | 6 | 6 |"))
        for word in ["--skew -300.0", "--clip 0.1", "--rate 44100", "--programme other.wav:-20.0"] {
            #expect(outcome.text.contains(word))
        }
        #expect(command.run("curve", "--rate", "16000").status == 64)
    }

    /// Far over the threshold, tokens are heard through each channel by itself, and the table names it.
    @Test(arguments: [
        ["--walk", "1.0", "--rt60", "0.3", "--drr", "3.0"], ["--room", "image:0.2:5.0"],
        ["--tilt", "-8.0", "--distortion", "5.0", "--notch", "19000.0:12.0:100.0"], ["--agc", "3.0:0.3"],
        ["--dropout", "random:0.03"],
        ["--cut-head", "0.04"], ["--clicks", "3.0:10.0"], ["--tone", "random:-10.0"], ["--chunks", "random"],
        ["--repeats", "2", "--gap", "1.5"],
    ])
    func eachIsHeardThrough(arguments: [String]) {
        let outcome = Command().run(["curve", "--from", "18", "--to", "18", "--trials", "4"] + arguments)
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("| 18.00 | 4 | 4 |"), "\(outcome.text)")
        for (name, value) in zip(arguments, arguments.dropFirst()) where name.hasPrefix("--") {
            #expect(outcome.text.contains("\(name) \(value)"))
        }
    }

    /// Of two senders at once, 12 dB apart, both are heard, and counted.
    @Test func twoSenders() {
        let outcome = Command().run(
            "curve", "--from", "26", "--to", "26", "--trials", "6", "--senders", "2", "--spread", "12",
            "--csv")
        #expect(outcome.status == 0)
        #expect(outcome.lines[1].hasSuffix(",loudest_heard,tokens_heard"))
        let fields = outcome.lines[2].split(separator: ",")
        #expect(fields.count == 12 && fields[10] == "6" && fields[11] == "12")
    }
}
