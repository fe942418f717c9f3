import AcousticModem
import ChannelSim
import CommandOutput

/// A measurement of listening in small pushes, as a sound card delivers them: the cost of all sound, and the
/// longest push.
struct PushBench {
    let seconds: Int
    let settling: Int
    let seed: UInt64
    /// The samples of a push: 10 ms.
    private static let push = 480
    private static let runs = 3

    private static let receivers: [(name: String, profiles: [WaveformProfile])] = [
        ("`dsss`", [.dsss]), ("`fsk`", [.fsk]), ("`fsk-long`", [.fskLong]),
        ("all profiles", WaveformProfile.all),
    ]

    /// Writes a table, each line as soon as it is known: the best of three runs, in processor time.
    func write() throws {
        try StandardOutput.write("| receiver | sound | × real time | longest push, ms |")
        try StandardOutput.write("|---|---|---|---|")
        for (name, profiles) in PushBench.receivers {
            for kind in BenchSound.Kind.allCases {
                var (spent, longest) = (Double.infinity, Double.infinity)
                for _ in 0..<PushBench.runs {
                    let run = try measure(profiles, kind)
                    (spent, longest) = (min(spent, run.spent), min(longest, run.longest))
                }
                let speed = FixedPoint.text(Double(seconds) / spent, places: 0)
                let milliseconds = FixedPoint.text(1000 * longest, places: 1)
                try StandardOutput.write("| \(name) | \(kind.words) | \(speed) | \(milliseconds) |")
            }
        }
    }

    /// Returns the processor seconds of all pushes after the settling, and those of the longest one.
    private func measure(
        _ profiles: [WaveformProfile], _ kind: BenchSound.Kind
    ) throws -> (spent: Double, longest: Double) {
        var receiver = Receiver(profiles: profiles)
        var sound = try BenchSound(kind, seed: seed)
        var (spent, longest) = (0.0, 0.0)
        for second in 0..<settling + seconds {
            let block = sound.nextSecond()
            block.withUnsafeBufferPointer { block in
                for start in stride(from: 0, to: block.count, by: PushBench.push) {
                    let before = CPUClock.threadSeconds()
                    _ = receiver.process(UnsafeBufferPointer(rebasing: block[start..<start + PushBench.push]))
                    let push = CPUClock.threadSeconds() - before
                    guard second >= settling else { continue }
                    spent += push
                    longest = max(longest, push)
                }
            }
        }
        return (spent, longest)
    }
}
