import AcousticModem
import ArgumentParser
import ChannelSim
import CommandOutput
import Signal

struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the receiver's speed as a multiple of real time.",
        discussion: """
            Each receiver processes white noise, then noise with a strong frame every 10 s. Each figure is a \
            multiple of real time on one core, the fastest of three runs: for the whole receiver, and on noise for \
            each of its stages. A second table compares the cost of a bank of tones by Goertzel's algorithm and by \
            FFT; ToneBank switches to the FFT where they cross.
            """)

    @Option(help: ArgumentHelp("Seconds of sound that each figure is measured on.", valueName: "seconds"))
    var seconds: Int = 120
    @Option(
        help: ArgumentHelp(
            "Seconds of sound before the measurement; a receiver needs about 20 to estimate the noise.",
            valueName: "seconds"))
    var settling: Int = 30
    @Flag(help: "Measure only calls with small blocks of samples: their speed, and the longest call.")
    var pushes = false
    @Option(help: "Seed of the noise.") var seed: UInt64 = 1

    func validate() throws {
        try Limits.check("--seconds", seconds, 10...1_000_000, "seconds")
        try Limits.check("--settling", settling, 0...1_000_000, "seconds")
    }

    func run() throws {
        if pushes { return try PushBench(seconds: seconds, settling: settling, seed: seed).write() }
        try StandardOutput.write(
            "| receiver | noise, × real time | a frame every 10 s | front end | correlation | search and decoding |"
        )
        try StandardOutput.write("|---|---|---|---|---|---|")
        for profile in WaveformProfile.nearby {
            let noise = try leastSeconds([profile], frame: nil)
            let frames = try leastSeconds([profile], frame: profile)
            var cells = [noise, frames].map(timesRealTime)
            switch profile.kind {
            case .dsss(let dsss): cells += stageCells(dsss, whole: noise)
            case .fsk, .ggwave, .uart: cells += ["", "", ""]
            }
            try StandardOutput.write("| `\(profile.name)` | \(cells.joined(separator: " | ")) |")
        }
        for (name, profiles) in [
            ("ggwave, all nine", WaveformProfile.ggwave), ("all profiles", WaveformProfile.all),
        ] {
            let noise = try leastSeconds(profiles, frame: nil)
            let frames = try leastSeconds(
                profiles, frame: profiles.contains(.dsss) ? .dsss : profiles.first)
            try StandardOutput.write(
                "| \(name) | \(timesRealTime(noise)) | \(timesRealTime(frames)) | | | |")
        }
        for line in [""] + ToneBankBench().lines() { try StandardOutput.write(line) }
    }

    private func timesRealTime(_ spent: Double) -> String {
        spent > 0 ? FixedPoint.text(Double(seconds) / spent, places: 0) : "–"
    }

    /// Measures the first stages of a DSSS receiver by themselves.
    private func stageCells(_ profile: DSSSProfile, whole: Double) -> [String] {
        let frontEnd = Bench.least { frontEndSeconds(profile, correlating: false) }
        let correlated = Bench.least { frontEndSeconds(profile, correlating: true) }
        return [frontEnd, correlated - frontEnd, whole - correlated].map(timesRealTime)
    }

    /// Measures the removal of tones from the band, alone or with the correlation with the pilots.
    private func frontEndSeconds(_ profile: DSSSProfile, correlating: Bool) -> Double {
        var frontEnd = FrontEnd(band: profile.band)
        var tones = BlockSubtractor(ToneFinder(band: profile.band))
        var baseband: [Complex] = []
        var field = ClusterField(
            grid: SearchGrid(profile: profile), keptSamples: profile.band.samples(seconds: 4),
            outerKeptSamples: nil)
        return spentSeconds { block in
            baseband.removeAll(keepingCapacity: true)
            block.withUnsafeBufferPointer { frontEnd.process($0) }
            tones.process(frontEnd.limited[...], into: &baseband)
            if correlating {
                field.append(baseband[...])
                field.makeAll()
                field.drop(before: field.end, outer: field.end)
            }
        }
    }

    private func leastSeconds(_ profiles: [WaveformProfile], frame: WaveformProfile?) throws -> Double {
        try Bench.least { try receiverSeconds(profiles, frame: frame) }
    }

    private static func least(_ measure: () throws -> Double) rethrows -> Double {
        var least = try measure()
        for _ in 1..<3 { least = min(least, try measure()) }
        return least
    }

    private func receiverSeconds(_ profiles: [WaveformProfile], frame: WaveformProfile?) throws -> Double {
        let waveform = try frame.map { try Transmitter(profile: $0).waveform(of: Array(1...8)) } ?? []
        var receiver = Receiver(profiles: profiles)
        return spentSeconds(adding: waveform) { _ = receiver.process($0) }
    }

    /// Returns the processor time for `seconds` of sound after the settling, a second at a time.
    private func spentSeconds(adding waveform: [Float] = [], _ consume: ([Float]) -> Void) -> Double {
        var noise = NoiseSource(seed: seed)
        var spent = 0.0
        let rate = Int(Receiver.sampleRateHz)
        for second in 0..<settling + seconds {
            var block = noise.samples(rate, sigma: 0.05)
            let position = (second % 10) * rate
            for i in 0..<rate where position + i < waveform.count { block[i] += 0.2 * waveform[position + i] }
            let before = CPUClock.threadSeconds()
            consume(block)
            if second >= settling { spent += CPUClock.threadSeconds() - before }
        }
        return spent
    }
}
