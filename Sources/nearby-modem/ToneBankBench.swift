import CommandOutput
import Signal

/// A comparison of the cost of the two methods of ``ToneBank`` in a window of 1024, and of the number of
/// tones where they cross.
struct ToneBankBench {
    private static let windowCount = 1024
    private static let toneCounts = [2, 4, 8, 16, 32, 64, 96]
    private static let rounds = 5
    private static let windowsPerRound = 2000

    /// Returns a Markdown table, and the crossing.
    func lines() -> [String] {
        var lines = ["| tones, window of 1024 | Goertzel, µs | FFT, µs |", "|---|---|---|"]
        var crossing: Double?
        var previous: (tones: Double, difference: Double)?
        for count in ToneBankBench.toneCounts {
            let goertzel = microseconds(count, .goertzel)
            let transform = microseconds(count, .transform)
            lines.append(
                "| \(count) | \(FixedPoint.text(goertzel, places: 2)) | \(FixedPoint.text(transform, places: 2)) |"
            )
            let here = (tones: Double(count), difference: goertzel - transform)
            if let previous, crossing == nil, previous.difference <= 0, here.difference > 0 {
                let share = previous.difference / (previous.difference - here.difference)
                crossing = previous.tones + share * (here.tones - previous.tones)
            }
            previous = here
        }
        let words =
            crossing.map { "They cross at about \(FixedPoint.text($0, places: 0)) tones." }
            ?? "They do not cross: one is quicker for all of these."
        return lines + ["", words]
    }

    /// Returns the processor time of a window, the best of some rounds: other work only ever slows a round
    /// down.
    private func microseconds(_ toneCount: Int, _ method: ToneBank.Method) -> Double {
        let window = (0..<ToneBankBench.windowCount).map { Float(($0 * 7919) % 1000) / 1000 - 0.5 }
        let frequencies = (0..<toneCount).map { Double(40 + $0) / Double(ToneBankBench.windowCount) }
        var bank = ToneBank(
            windowCount: ToneBankBench.windowCount, frequencies: frequencies, method: method)
        var energies = [Float](repeating: 0, count: toneCount)
        var best = Double.infinity
        for _ in 0..<ToneBankBench.rounds {
            let before = CPUClock.threadSeconds()
            for _ in 0..<ToneBankBench.windowsPerRound { bank.energies(of: window, into: &energies) }
            best = min(best, CPUClock.threadSeconds() - before)
        }
        return 1e6 * best / Double(ToneBankBench.windowsPerRound)
    }
}
