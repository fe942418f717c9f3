import TestSupport
import Testing

@Suite struct CurveConditionTests {
    /// Far over the threshold, through every impairment at once: all heard, and the table names them.
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
        for word in ["--skew -300.0", "--clip 0.1", "--rate 44100.0", "--programme other.wav:-20.0"] {
            #expect(outcome.text.contains(word))
        }
        #expect(command.run("curve", "--rate", "16000").status == 64)
    }
}
