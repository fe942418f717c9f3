import AcousticModem
import ArgumentParser
import ChannelSim
import Signal

struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure how much faster than real time the receiver is.",
        discussion: """
            Each receiver hears white noise, then noise with a strong frame every 10 s. Figures are × real time on one \
            core: seconds of sound a processor second.
            """)

    @Option(help: "Seconds of sound for each figure.") var seconds: Int = 120
    @Option(help: "Seed of the noise.") var seed: UInt64 = 1

    func validate() throws {
        guard seconds >= 10 else { throw ValidationError("--seconds: expected 10 or more") }
    }

    func run() throws {
        try StandardOutput.write("| receiver | noise, × real time | a frame every 10 s | front end alone |")
        try StandardOutput.write("|---|---|---|---|")
        var decimator = BandDecimator()
        var baseband: [Complex] = []
        let frontEnd = speed { block in
            baseband.removeAll(keepingCapacity: true)
            block.withUnsafeBufferPointer { decimator.process($0, into: &baseband) }
        }
        for profile in WaveformProfile.all {
            let noise = try receiverSpeed([profile], frame: nil)
            let frames = try receiverSpeed([profile], frame: profile)
            try StandardOutput.write("| `\(profile.name)` | \(noise) | \(frames) | \(frontEnd) |")
        }
        let noise = try receiverSpeed(WaveformProfile.all, frame: nil)
        let frames = try receiverSpeed(WaveformProfile.all, frame: .dsss)
        try StandardOutput.write("| all profiles | \(noise) | \(frames) | \(frontEnd) |")
    }

    private func receiverSpeed(_ profiles: [WaveformProfile], frame: WaveformProfile?) throws -> Int {
        let waveform = try frame.map { try Transmitter(profile: $0).waveform(of: Array(1...8)) } ?? []
        var receiver = Receiver(profiles: profiles)
        return speed(adding: waveform) { _ = receiver.process($0) }
    }

    /// Sound a processor second, of what takes one second of samples at a time.
    private func speed(adding waveform: [Float] = [], _ consume: ([Float]) -> Void) -> Int {
        var noise = NoiseSource(seed: seed)
        var spent = 0.0
        let rate = Int(Receiver.sampleRateHz)
        for second in 0..<seconds {
            var block = noise.samples(rate, sigma: 0.05)
            let position = (second % 10) * rate
            for i in 0..<rate where position + i < waveform.count { block[i] += 0.2 * waveform[position + i] }
            let before = CPUClock.threadSeconds()
            consume(block)
            spent += CPUClock.threadSeconds() - before
        }
        return Int(Double(seconds) / spent)
    }
}
