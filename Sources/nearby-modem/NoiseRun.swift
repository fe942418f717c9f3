import AcousticModem
import ChannelSim
import Signal

/// Hours of white noise through a receiver: every token it reports is wrong.
struct NoiseRun {
    let profile: WaveformProfile
    let seed: UInt64

    func run(hours: Double) throws {
        var receiver = Receiver(profiles: [profile])
        var noise = NoiseSource(seed: seed)
        var wrong = 0
        var receiverSeconds = 0.0
        for _ in 0..<Int(hours * 3600) {
            let second = noise.samples(Int(Receiver.sampleRateHz), sigma: 0.1)
            let before = CPUClock.threadSeconds()
            let reports = receiver.process(second)
            receiverSeconds += CPUClock.threadSeconds() - before
            for report in reports {
                wrong += 1
                let token = report.token.map { FixedPoint.hex($0) }.joined()
                try StandardOutput.write(
                    "wrong token \(token) at \(FixedPoint.text(report.startSeconds, places: 1)) s")
            }
        }
        let speed = FixedPoint.text(hours * 3600 / receiverSeconds, places: 0)
        let counters = receiver.statistics
        try StandardOutput.write(
            "\(profile.name): \(wrong) wrong tokens in \(FixedPoint.text(hours, places: 2)) h of white noise, seed \(seed); "
                + "\(speed) x real time; \(counters.decodings) decodings, \(counters.checksPassed) checks passed"
        )
    }
}

extension FixedPoint {
    static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
