import Glibc
import Signal

/// Baseband → evidence: looks for one expected frame about one start, with all of its chips.
///
///     sound     ~~~~~~~~~~~~~~~|▄▄▄▄▄▄▄▄▄▄▄▄▄▄|~~~~~~~~
///     starts             |◄─ ─►|                          c(t, f) = Σ_n x(t + n) s*(n) e^{−j2πfn}
///
///     ln Λ = Σ_parts Σ_taps [ g z − ln(1 + w) ],   g = w / (1 + w),  z = |c|² over that of noise
///
/// with w the energy that a hypothesis expects at a tap. In noise, ln Λ exceeds x with a chance of e^−x at
/// most, whatever the hypothesis.
struct FrameCorrelator: Sendable {
    /// The distance from the expected start, and from the expected Doppler, up to which frames are found.
    static let reachSeconds = 0.06
    fileprivate static let reachHz = 2.5
    /// The energies of a part over the noise density that are tried.
    private static let energies: [Float] = [12, 24, 48, 96]
    /// The price of echoes, which may be absent. Noise at neighbouring taps is alike, so ln Λ exceeds x more
    /// often than it should.
    private static let echoNats: Float = 4

    /// The evidence for an expected frame, and where it is.
    struct Match: Sendable {
        var nats: Float
        /// The nats of the data chips alone: the pilots are those of other tokens, too.
        var dataNats: Float
        /// The start, as ``Candidate/start``.
        var start: Double
        var shiftHz: Double
        /// The energy of the frame over the noise density.
        var energy: Float
        /// The channel that hears it, the first one if all do together.
        var channel: Int
    }

    /// A delay profile at an energy.
    private struct Hypothesis: Sendable {
        let weights: [Float]
        let energy: Float
        let evidence: TapEvidence
        /// The price of the hypothesis among all.
        let prior: Float

        init(_ weights: [Float], energy: Float) {
            (self.weights, self.energy) = (weights, energy)
            evidence = TapEvidence(weights, energy: energy)
            prior = weights.count > 1 ? FrameCorrelator.echoNats : 0
        }

        func ofPart(_ share: Float) -> Hypothesis { Hypothesis(weights, energy: energy * share) }
    }

    private let profile: DSSSProfile
    private var band: Band { profile.band }
    private let maker: FrameTemplate
    /// The samples before the expected start, and after it, within which a frame's start is sought.
    private let reachSamples: Int
    private let hypotheses: [Hypothesis]
    /// The delay of each tap in samples.
    private let delays: [Int]

    init(profile: DSSSProfile) {
        self.profile = profile
        maker = FrameTemplate(profile: profile)
        reachSamples = profile.band.samples(seconds: FrameCorrelator.reachSeconds)
        let taps = DelayProfile.tapCount - DelayProfile.referenceTap
        delays = (0..<taps).map { Int((Double($0) * profile.samplesPerChip).rounded()) }
        hypotheses = DelayProfile.all(chipRateHz: profile.chipRateHz).flatMap { profile in
            let weights = profile.isSingle ? [1] : Array(profile.weights[DelayProfile.referenceTap...])
            return FrameCorrelator.energies.map { Hypothesis(weights, energy: $0) }
        }
    }

    /// The number of starts, in whole vectors.
    private var startCount: Int { (2 * reachSamples + 8) & ~7 }
    private var rowWidth: Int { startCount + delays.last! }

    /// Returns the frame of a token, to be looked for; `nil` if the token cannot have been sent in the
    /// profile.
    func expected(_ token: [UInt8], lane: Int, timeScale: Double) -> ExpectedFrame? {
        ExpectedFrame(token, profile, lane: lane, timeScale: timeScale, moreSamples: rowWidth, maker)
    }

    /// Returns the positions of the samples that a match about an expected start reads.
    func span(of frame: ExpectedFrame, start: Double) -> Range<SamplePosition> {
        let origin = origin(start)
        return origin + frame.parts[0].offset..<origin + frame.parts.last!.offset + frame.transformCount
    }

    /// Returns the first start that is tried.
    private func origin(_ start: Double) -> SamplePosition { SamplePosition(start.rounded()) - reachSamples }

    /// Returns the likeliest match about an expected start, on one channel or on all together.
    ///
    /// - Parameter sounds: the sound of each channel.
    func match(_ frame: ExpectedFrame, start: Double, in sounds: [BasebandWindow]) -> Match {
        let origin = origin(start)
        let heard = sounds.map { sound in
            Heard(
                sound: sound,
                parts: frame.parts.map {
                    Correlations(of: $0, in: sound, from: origin, frame, band, rowWidth)
                })
        }
        let choices = heard.indices.map { [$0] } + (heard.count > 1 ? [Array(heard.indices)] : [])
        let matches = choices.map { channels in
            match(frame, origin, channels.map { heard[$0] }, channel: channels[0])
        }
        return matches.max { $0.nats < $1.nats }!
    }

    /// The sound of one channel, with its correlations with the frame's parts.
    private struct Heard {
        let sound: BasebandWindow
        let parts: [Correlations]
    }

    private func match(
        _ frame: ExpectedFrame, _ origin: SamplePosition, _ channels: [Heard], channel: Int
    ) -> Match {
        var rows = [Float](repeating: 0, count: channels[0].parts[0].powers.count)
        for part in channels.lazy.flatMap({ $0.parts }) {
            for i in rows.indices { rows[i] += part.powers[i] / part.noise }
        }
        let place = likeliest(rows, partCount: channels.count * frame.parts.count)
        let (row, offset) = place.position.quotientAndRemainder(dividingBy: rowWidth)
        let shiftHz = Correlations.shiftHz(row: row, frame, band)
        let hypothesis = hypotheses[place.hypothesis]
        let data = hypothesis.ofPart(frame.dataShare)
        var dataNats: Float = 0
        for one in channels {
            for (part, expected) in zip(one.parts, frame.parts) {
                let powers = FrameCorrelator.dataPowers(
                    expected, in: one.sound, from: origin + offset + expected.offset,
                    radiansPerSample: 2 * .pi * shiftHz / band.rateHz,
                    delays: delays.prefix(data.evidence.gains.count)
                )
                dataNats += data.evidence.nats(powers.map { $0 / part.noise })
            }
        }
        return Match(
            nats: place.nats, dataNats: dataNats, start: Double(origin + offset), shiftHz: shiftHz,
            energy: hypothesis.energy * Float(frame.parts.count), channel: channel)
    }

    /// Returns the likeliest hypothesis of all at any start and Doppler.
    private func likeliest(
        _ rows: [Float], partCount: Int
    ) -> (nats: Float, hypothesis: Int, position: Int) {
        var best = (nats: -Float.infinity, hypothesis: 0, position: 0)
        let count = startCount
        withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { sums in
            rows.withUnsafeBufferPointer { rows in
                for row in stride(from: 0, to: rows.count, by: rowWidth) {
                    for (index, hypothesis) in hypotheses.enumerated() {
                        sums.initialize(
                            repeating: -Float(partCount) * hypothesis.evidence.cost - hypothesis.prior)
                        for (gain, delay) in zip(hypothesis.evidence.gains, delays) {
                            let taps = rows.baseAddress! + row + delay
                            for i in 0..<count { sums[i] += gain * taps[i] }
                        }
                        let peak = Kernels.indexOfMaximum(sums.baseAddress!, count)
                        if sums[peak] > best.nats { best = (sums[peak], index, row + peak) }
                    }
                }
            }
        }
        return best
    }

    /// Returns the power of a part's data chips at each delay after a position.
    private static func dataPowers(
        _ part: ExpectedFrame.Part, in sound: BasebandWindow, from position: SamplePosition,
        radiansPerSample: Double, delays: ArraySlice<Int>
    ) -> [Float] {
        let count = part.data.count
        var heard = [Complex](repeating: .zero, count: count + delays.last!)
        let quadrature = part.data.map { $0 * Complex(0, 1) }
        return heard.withUnsafeMutableBufferPointer { heard in
            sound.copy(from: position, count: heard.count, to: heard.baseAddress!)
            Kernels.rotate(heard.baseAddress!, heard.count, from: 0, by: -radiansPerSample)
            return delays.map { delay in
                let at = UnsafePointer(heard.baseAddress! + delay)
                let re = Kernels.innerProduct(at, part.data, count)
                let im = Kernels.innerProduct(at, quadrature, count)
                return re * re + im * im
            }
        }
    }
}

/// The powers of a part's correlations with the sound, `[shift][start]`, and their mean in noise.
private struct Correlations {
    private(set) var powers: [Float] = []
    private(set) var noise: Float = 0

    /// The greatest Doppler shift, in the transform's bins. Half bins are tried as well.
    private static func bins(_ frame: ExpectedFrame, _ band: Band) -> Int {
        Int(FrameCorrelator.reachHz * Double(frame.transformCount) / band.rateHz)
    }

    static func shiftHz(row: Int, _ frame: ExpectedFrame, _ band: Band) -> Double {
        let bins = bins(frame, band)
        let (half, bin) = row.quotientAndRemainder(dividingBy: 2 * bins + 1)
        return (Double(bin - bins) + 0.5 * Double(half)) * band.rateHz / Double(frame.transformCount)
    }

    init(
        of part: ExpectedFrame.Part, in sound: BasebandWindow, from origin: SamplePosition,
        _ frame: ExpectedFrame, _ band: Band, _ width: Int
    ) {
        let (count, bins) = (frame.transformCount, Correlations.bins(frame, band))
        let transform = FFT.shared(count: count)
        var scratch = ScratchBuffer<Complex>(count: 4 * count, repeating: .zero)
        let samples = scratch.claim()
        let (input, spectrum, product) = (samples + count, samples + 2 * count, samples + 3 * count)
        sound.copy(from: origin + part.offset, count: count, to: samples)
        var sum: Float = 0
        var all = [Float](repeating: 0, count: count)
        for half in 0..<2 {
            input.update(from: samples, count: count)
            Kernels.rotate(input, count, from: 0, by: -.pi * Double(half) / Double(count))
            transform.forward(input, into: spectrum)
            for bin in -bins...bins {
                part.spectrum.withUnsafeBufferPointer { expected in
                    // The spectrum is read from the bin on: this shifts the sound by its frequency.
                    let first = (bin + count) % count
                    Kernels.multiply(spectrum + first, expected.baseAddress!, count - first, into: product)
                    if first > 0 {
                        Kernels.multiply(
                            spectrum, expected.baseAddress! + count - first, first,
                            into: product + count - first)
                    }
                }
                transform.inverse(product, into: input)
                let total = Kernels.powers(input, count, into: &all)
                if half == 0, bin == 0 { noise = total / Float(count) }
                powers += all[..<width]
                sum += Kernels.sum(all, width)
            }
        }
        // Noise that grows, or begins, counts as what it is about the expected start.
        noise = max(noise, sum / Float(powers.count), Kernels.leastPower)
    }
}
