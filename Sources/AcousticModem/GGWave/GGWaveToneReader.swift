import Signal

/// The step from samples to powers of tones. Opposite: ``GGWaveModulator``.
///
/// Powers are in units of the noise: white noise of variance v has mean v in every bin.
struct GGWaveToneReader: Sendable {
    private let transform = FFT(count: GGWaveProtocol.frameSamples)
    private var folded = ScratchBuffer<Float>(count: 2 * GGWaveProtocol.frameSamples, repeating: 0)
    private var packed = ScratchBuffer<Complex>(count: GGWaveProtocol.frameSamples, repeating: .zero)
    private var spectrum = ScratchBuffer<Complex>(count: GGWaveProtocol.frameSamples, repeating: .zero)

    /// Reads stretches of `frames` frames from each of `starts` on, each summed coherently. Two go through
    /// one transform.
    ///
    /// Shape: powers `[starts.count][bins.count]`.
    mutating func read(
        _ history: SampleHistory, starts: some RandomAccessCollection<SamplePosition>, frames: Int,
        bins: Range<Int>,
        into powers: inout [Float]
    ) {
        powers.removeAll(keepingCapacity: true)
        powers.append(contentsOf: repeatElement(0, count: starts.count * bins.count))
        let size = GGWaveProtocol.frameSamples
        let (folded, packed, spectrum) = (folded.claim(), packed.claim(), spectrum.claim())
        let scale = 0.25 / Float(frames * size)
        for index in stride(from: 0, to: starts.count, by: 2) {
            let isPair = index + 1 < starts.count
            history.fold(from: start(index, of: starts), frames: frames, into: folded)
            if isPair {
                history.fold(from: start(index + 1, of: starts), frames: frames, into: folded + size)
            } else {
                (folded + size).update(repeating: 0, count: size)
            }
            for i in 0..<size { packed[i] = Complex(folded[i], folded[size + i]) }
            transform.forward(packed, into: spectrum)
            for (place, bin) in bins.enumerated() {
                let (here, mirrored) = (spectrum[bin], spectrum[size - bin].conjugate)
                powers[index * bins.count + place] = (here + mirrored).power * scale
                if isPair { powers[(index + 1) * bins.count + place] = (here - mirrored).power * scale }
            }
        }
    }

    private func start(
        _ index: Int, of starts: some RandomAccessCollection<SamplePosition>
    ) -> SamplePosition {
        starts[starts.index(starts.startIndex, offsetBy: index)]
    }
}
