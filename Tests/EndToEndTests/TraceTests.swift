import TestSupport
import Testing

@Suite struct TraceTests {
    /// A frame far under its threshold is a candidate at best, and every line names the stage.
    @Test func linesNameTheStage() {
        let command = Command()
        #expect(command.run("encode", "--token", "00112233", "-o", "token.wav").status == 0)
        #expect(
            command.run("channel", "token.wav", "-o", "faint.wav", "--ebn0", "0", "--seed", "3").status == 0)
        let outcome = command.run("decode", "faint.wav", "--trace", "acquisition")
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        let lines = outcome.errorLines.dropLast()
        #expect(!lines.isEmpty)
        #expect(lines.allSatisfy { $0.contains("in acquisition") && $0.contains("pilots") })
    }

    @Test func otherStagesAreRefused() {
        let outcome = Command().run("decode", "x.wav", "--trace", "everything")
        #expect(outcome.status == 64)
        #expect(outcome.errorLines.count == 1)
    }
}
