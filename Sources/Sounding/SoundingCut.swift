import Signal

/// A recording cut into its sweeps, each passed through the inverse filter.
struct SoundingCut {
    let sampleRateHz: Double
    /// The sample of the recording that is lag 0 of each sweep.
    let starts: [Int]
    let deconvolver: SweepDeconvolver
    /// The values H of each sweep, and h.
    let responses: [[Complex]]
    let impulses: [[Complex]]
    /// The lag from a sweep's start to its strongest arrival, in the first sweep.
    let peakLag: Int

    var peakSample: Int { starts[0] + peakLag }
    /// The sample after the last sweep.
    var end: Int { starts[starts.count - 1] + Int(Sweep.durationSeconds * sampleRateHz) }

    /// - Parameters:
    ///   - start: the start of the first sweep, to within a few milliseconds.
    ///   - sampleRateHz: the rate in the player's time.
    init(_ recording: [Float], start: Int, sampleRateHz: Double) {
        let deconvolver = SweepDeconvolver(sampleRateHz: sampleRateHz)
        let period = SoundingSignal.periodSeconds * sampleRateHz
        let starts = SoundingSignal.levelsDecibels.indices.map {
            start + Int((Double($0) * period).rounded())
        }
        let responses = starts.map { deconvolver.response(recording, start: $0) }
        let impulses = responses.map { deconvolver.impulse($0) }
        let near = -Int(0.005 * sampleRateHz)...Int(0.005 * sampleRateHz)
        peakLag =
            near.max {
                impulses[0][deconvolver.leadCount + $0].power < impulses[0][deconvolver.leadCount + $1].power
            } ?? 0
        (self.sampleRateHz, self.starts, self.deconvolver) = (sampleRateHz, starts, deconvolver)
        (self.responses, self.impulses) = (responses, impulses)
    }

    var clockSkew: Double {
        let last = starts.count - 1
        return SoundingClock.skew(
            impulses[0], impulses[last], gate: gate, spanSamples: starts[last] - starts[0], deconvolver)
    }

    /// Returns the gains of the sweeps within the time in which anything of the first, loudest sweep arrives.
    func gains(noise: NoiseSpectrum) -> [SweepGains] {
        let gate = self.gate
        return impulses.map { SweepGains($0, gate: gate, noise: noise, deconvolver) }
    }

    /// The lags from a little before the strongest arrival until noise hides the tail. The hidden part, at
    /// most a third of the noise, is little loss; a gate that always held it would let in 50 times the noise
    /// of a path without a room.
    private var gate: Range<Int> {
        func samples(_ seconds: Double) -> Int { Int(seconds * sampleRateHz) }
        let peak = deconvolver.leadCount + peakLag
        let before = impulses[0][peak - samples(0.15)..<peak - samples(0.005)]
        let tail = impulses[0][peak + samples(0.001)..<peak + samples(0.35)]
        let noise = before.reduce(0.0) { $0 + Double($1.power) } / Double(before.count)
        let decay = TailDecay(
            tail.map { Double($0.power) }, noise: noise, binSampleCount: samples(0.005), leastOverNoise: 1.3)
        // If there is little noise, the gate also holds the ringing of the band's edges: 0.3 dB of the outer
        // steps.
        let isClear = Double(impulses[0][peak].power) > 1e4 * noise
        let margins = isClear ? (0.005, 0.015) : (0.002, 0.005)
        return peak - samples(margins.0)..<peak + decay.sampleCount + samples(margins.1)
    }

    /// Returns the decay of the loudest sweep that is not louder than `loudestDecibels`. Of two such sweeps
    /// it takes the first, which the quietest sweep follows.
    func decay(loudestDecibels: Double) -> EchoDecay {
        let levels = SoundingSignal.levelsDecibels
        let allowed = levels.indices.filter { levels[$0] <= loudestDecibels }
        let chosen = allowed.max { (levels[$0], $1) < (levels[$1], $0) } ?? 0
        return EchoDecay(responses[chosen], peakLag: peakLag, deconvolver)
    }
}
