import Signal

/// The matched filter: it measures how well a sweep fits at every instant of a recording, as the greatest
/// power in each block.
///
/// Shapes: recording `[n]` → ``blockSampleCount`` samples a block, `[⌈n / blockSampleCount⌉]`, by
/// overlap-save. It keeps only a block's maximum, so that a recording may be long. Complexity: O(n log n), n
/// of one sweep.
struct SweepCorrelator {
    /// The samples of a block: half a millisecond, three times the sweep's resolution.
    let blockSampleCount: Int
    private let fft: FFT
    /// The conjugate spectrum, at positive frequencies only: the output is an envelope.
    private let template: [Complex]
    private let hop: Int

    init(_ sweep: Sweep) {
        blockSampleCount = max(1, Int(sweep.sampleRateHz / 2000))
        let count = FFT.fitting(3 * sweep.sampleCount)
        fft = FFT(count: count)
        var spectrum = sweep.samples.map { Complex($0) }
        spectrum += [Complex](repeating: .zero, count: count - spectrum.count)
        fft.forward(&spectrum)
        template = spectrum.indices.map { $0 < count / 2 ? spectrum[$0].conjugate : .zero }
        hop = (count - sweep.sampleCount) / blockSampleCount * blockSampleCount
    }

    func blockPowers(_ recording: [Float]) -> [Float] {
        var powers: [Float] = []
        powers.reserveCapacity(recording.count / blockSampleCount + 1)
        var chunk = [Complex](repeating: .zero, count: fft.count)
        for first in stride(from: 0, to: recording.count, by: hop) {
            for i in chunk.indices {
                chunk[i] = first + i < recording.count ? Complex(recording[first + i]) : .zero
            }
            fft.forward(&chunk)
            for i in chunk.indices { chunk[i] *= template[i] }
            fft.inverse(&chunk)
            let end = min(hop, recording.count - first)
            for start in stride(from: 0, to: end, by: blockSampleCount) {
                let block = chunk[start..<min(start + blockSampleCount, end)]
                powers.append(block.reduce(Float(0)) { max($0, $1.power) })
            }
        }
        return powers
    }
}

extension FFT {
    /// Returns the power of two that holds `count` samples.
    static func fitting(_ count: Int) -> Int {
        var size = 1024
        while size < count { size *= 2 }
        return size
    }
}
