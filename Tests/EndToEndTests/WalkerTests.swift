import TestSupport
import Testing

/// Tests of a walker's room, which spreads every tone over three symbols and seven tones of Doppler.
@Suite struct WalkerTests {
    /// - Returns: the number of frames that were heard.
    private func heard(_ ebN0: String, trials: Int, _ arguments: String...) -> Int {
        let outcome = Command().run(
            [
                "curve", "--profile", "fsk-long", "--from", ebN0, "--to", ebN0, "--trials", "\(trials)",
                "--rt60", "0.6", "--drr", "-6", "--walk", "1.5", "--csv",
            ] + arguments)
        #expect(outcome.status == 0)
        let fields = outcome.lines[2].split(separator: ",")
        #expect(fields[4] == "0", "no wrong token")
        return Int(fields[2]) ?? 0
    }

    /// Of 60 at 13.5 dB 59 were heard: 7 or fewer of 10 have a chance of 0.1 %.
    @Test func oneFrame() { #expect(heard("13.5", trials: 10) >= 8) }

    /// Of 40 at 9 dB 38 were heard, of which one frame alone is one in twenty: 3 or fewer of 6 have a chance
    /// of 0.3 %.
    @Test func repeatsAreFoundTogether() { #expect(heard("9", trials: 6, "--repeats", "4") >= 4) }
}
