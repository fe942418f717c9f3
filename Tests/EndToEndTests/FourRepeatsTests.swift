import TestSupport
import Testing

/// Tests of four repeats that are searched as one.
@Suite struct FourRepeatsTests {
    /// Of 400 tokens at −1.5 dB 386 are heard, and 266 without the search: 33 or fewer of 40 have a chance of
    /// one in a million, 34 or more without it one of 1 %.
    @Test func faintRepeatsAreFoundTogether() {
        let outcome = Command().run(
            "curve", "--lead", "25", "--repeats", "4", "--four-repeats", "--from", "-1.5", "--to", "-1.5",
            "--trials", "40", "--csv")
        #expect(outcome.status == 0)
        let fields = outcome.lines[2].split(separator: ",")
        #expect(fields[4] == "0", "no wrong token")
        #expect(Int(fields[2]) ?? 0 >= 34, "\(outcome.lines)")
    }
}
