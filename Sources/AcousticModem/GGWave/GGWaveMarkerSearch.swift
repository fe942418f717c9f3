import Signal

/// Looks for start markers, at all times, in some bands at once: the only work while nothing is on air.
///
/// Frames of 1024 samples without overlap, two of them through one transform; neighbouring frames are summed
/// coherently, and fifteen such sums, the length of a marker, in power.
struct GGWaveMarkerSearch: Sendable {
    struct Peak: Sendable {
        var band: Int
        /// The frame it begins with.
        var frame: Int
        var agreement: Float
    }

    /// Samples searched at a time.
    static let quantum = 2 * GGWaveProtocol.frameSamples

    private let firstBins: [Int]
    private let transform = FFT(count: GGWaveProtocol.frameSamples)
    private var packed = ScratchBuffer<Complex>(count: GGWaveProtocol.frameSamples, repeating: .zero)
    private var spectrum = ScratchBuffer<Complex>(count: GGWaveProtocol.frameSamples, repeating: .zero)
    /// The frame before, only bins of markers. `[band][32]`, tones of start markers first, then those of end markers.
    private var previous: [Complex]
    /// Powers of sums of two frames, a mean of one each. `[16][band][2]`, the row of frame f at f mod 16.
    private var rows: [SIMD16<Float>]
    private var frame = 0
    /// The best of each band that no better one has followed yet.
    private var best: [Peak?]

    /// Sums of two frames that lie within a marker.
    private static let windowCount = GGWaveProtocol.markerFrames - 1
    /// Frames that a peak waits for a better one.
    private static let patience = 10
    /// 3.6 times the deviation of ``GGWaveMarkerScore/agreement`` in noise.
    private static let threshold: Float = 3.4

    init(firstBins: [Int]) {
        self.firstBins = firstBins
        previous = [Complex](repeating: .zero, count: 32 * firstBins.count)
        rows = [SIMD16<Float>](repeating: .zero, count: 16 * 2 * firstBins.count)
        best = [Peak?](repeating: nil, count: firstBins.count)
    }

    /// Takes the next ``quantum`` samples and adds the peaks settled by now.
    mutating func process(_ samples: UnsafePointer<Float>, into peaks: inout [Peak]) {
        let size = GGWaveProtocol.frameSamples
        let (packed, spectrum) = (packed.claim(), spectrum.claim())
        for i in 0..<size { packed[i] = Complex(samples[i], samples[size + i]) }
        transform.forward(packed, into: spectrum)
        addRows(spectrum)
        for _ in 0..<2 {
            for band in firstBins.indices { look(band, into: &peaks) }
            frame += 1
        }
    }

    /// The end of the sound.
    mutating func finish(into peaks: inout [Peak]) {
        for band in best.indices {
            if let peak = best[band] { peaks.append(peak) }
            best[band] = nil
        }
    }

    /// Powers of the two sums that end with this quantum's frames. Z = A + jB of two real frames a and b.
    private mutating func addRows(_ spectrum: UnsafePointer<Complex>) {
        let size = GGWaveProtocol.frameSamples
        for band in firstBins.indices {
            for half in 0..<2 {
                let tones = half == 0 ? GGWaveMarker.start : GGWaveMarker.end
                var (first, second) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
                for pair in 0..<16 {
                    let bin = firstBins[band] + tones[pair]
                    let (here, mirrored) = (spectrum[bin], spectrum[size - bin].conjugate)
                    let (a, twice) = (here + mirrored, here - mirrored)
                    let b = Complex(twice.im, -twice.re)
                    let slot = 32 * band + 16 * half + pair
                    first[pair] = (previous[slot] + a).power
                    second[pair] = (a + b).power
                    previous[slot] = b
                }
                rows[row(frame, band) + half] = first
                rows[row(frame + 1, band) + half] = second
            }
            normalize(row(frame, band))
            normalize(row(frame + 1, band))
        }
    }

    private func row(_ frame: Int, _ band: Int) -> Int { 2 * ((frame & 15) * firstBins.count + band) }

    /// A loud moment counts for no more than another.
    private mutating func normalize(_ row: Int) {
        let weight = 32 / max((rows[row] + rows[row + 1]).sum(), .leastNormalMagnitude)
        rows[row] *= weight
        rows[row + 1] *= weight
    }

    private mutating func look(_ band: Int, into peaks: inout [Peak]) {
        var (right, wrong) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
        for back in 0..<GGWaveMarkerSearch.windowCount {
            let row = row(frame - back, band)
            right += rows[row]
            wrong += rows[row + 1]
        }
        let agreement = GGWaveMarkerScore.agreement(right, wrong)
        if let peak = best[band], frame - peak.frame >= GGWaveMarkerSearch.windowCount + GGWaveMarkerSearch.patience {
            peaks.append(peak)
            best[band] = nil
        }
        guard agreement > GGWaveMarkerSearch.threshold, agreement > best[band]?.agreement ?? 0 else { return }
        best[band] = Peak(band: band, frame: frame - GGWaveMarkerSearch.windowCount, agreement: agreement)
    }
}
