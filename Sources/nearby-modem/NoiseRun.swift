import AcousticModem
import AudioIO
import ChannelSim
import CommandOutput
import LiveModem
import Signal

/// A run of receivers, one for each hour, on hours of white noise: every token that they report is wrong.
struct NoiseRun {
    let profile: WaveformProfile
    let seed: UInt64
    let threadCount: Int
    let microphoneCount: Int

    private struct Stretch: Sendable {
        var reports: [DecodeReport] = []
        var statistics = ReceiverStatistics()
        var receiverSeconds = 0.0
    }

    private static let stretchSeconds = 3600

    func run(hours: Double) throws {
        let total = Int((hours * 3600).rounded())
        let count = (total + NoiseRun.stretchSeconds - 1) / NoiseRun.stretchSeconds
        let stretches = try WorkSharing.map(count: count, threadCount: threadCount) { index in
            let first = index * NoiseRun.stretchSeconds
            let stretch = listen(seconds: min(NoiseRun.stretchSeconds, total - first), index: index)
            for report in stretch.reports {
                let time = FixedPoint.text(Double(first) + report.startSeconds, places: 1)
                try StandardOutput.write("wrong token \(TokenDisplay.hex(report.token)) at \(time) s")
            }
            return stretch
        }
        let spent = stretches.reduce(0) { $0 + $1.receiverSeconds }
        let words = [
            "\(profile.name): \(stretches.reduce(0) { $0 + $1.reports.count }) wrong tokens in "
                + "\(FixedPoint.text(Double(total) / 3600, places: 2)) h of white noise, seed \(seed)",
            "\(FixedPoint.text(Double(total) / spent, places: 0)) x real time, "
                + "\(FixedPoint.text(Double(total) / 3600 / spent, places: 3)) h a CPU second",
            "\(stretches.reduce(0) { $0 + $1.statistics.decodings }) decodings, "
                + "\(stretches.reduce(0) { $0 + $1.statistics.checksPassed }) checks passed",
        ]
        try StandardOutput.write(words.joined(separator: "; "))
    }

    private func listen(seconds: Int, index: Int) -> Stretch {
        var seeds = SplitMix64(seed: seed)
        for _ in 0..<index { _ = seeds.next() }
        if microphoneCount > 1 { return listenJointly(seconds: seconds, seed: seeds.next()) }
        var noise = NoiseSource(seed: seeds.next())
        var receiver = Receiver(profiles: [profile])
        var stretch = Stretch()
        for _ in 0..<seconds {
            let second = noise.samples(Int(Receiver.sampleRateHz), sigma: 0.1)
            let before = CPUClock.threadSeconds()
            stretch.reports += receiver.process(second)
            stretch.receiverSeconds += CPUClock.threadSeconds() - before
        }
        stretch.reports += receiver.finish()
        stretch.statistics = receiver.statistics
        return stretch
    }

    /// Does the same with as many channels of independent noise.
    private func listenJointly(seconds: Int, seed: UInt64) -> Stretch {
        var noise = NoiseSource(seed: seed)
        let rateHz = Int(Receiver.sampleRateHz)
        let format = AudioFormat(sampleRateHz: rateHz, channelCount: microphoneCount)
        var receiver = MultichannelReceiver(profiles: [profile], format: format)
        var block = AudioBlock(channelCount: microphoneCount, capacity: rateHz)
        block.resize(to: rateHz)
        var stretch = Stretch()
        for _ in 0..<seconds {
            for channel in 0..<microphoneCount {
                block.withMutableChannel(channel) { samples in
                    for i in samples.indices { samples[i] = 0.1 * noise.next() }
                }
            }
            let before = CPUClock.threadSeconds()
            stretch.reports += receiver.process(block).map { $0.report }
            stretch.receiverSeconds += CPUClock.threadSeconds() - before
        }
        stretch.reports += receiver.finish().map { $0.report }
        stretch.statistics = receiver.statistics
        return stretch
    }
}
