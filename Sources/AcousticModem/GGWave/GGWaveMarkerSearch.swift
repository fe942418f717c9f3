import Signal

/// A search for start markers, at all times, in several bands at once: the only work while nothing is on air.
///
/// It transforms frames of 1024 samples without overlap, two of them through one transform. It sums
/// neighbouring frames coherently, and averages over a marker's length how well fifteen such sums agree with
/// a marker.
struct GGWaveMarkerSearch: Sendable {
    struct Peak: Sendable {
        var band: Int
        /// The frame that the marker begins with.
        var frame: SamplePosition
        var agreement: Float
    }

    /// The number of samples searched at a time.
    static let quantum = 2 * GGWaveProtocol.frameSamples

    private let firstBins: [Int]
    private let transform = FFT(count: GGWaveProtocol.frameSamples)
    private var packed = ScratchBuffer<Complex>(count: GGWaveProtocol.frameSamples, repeating: .zero)
    private var spectrum = ScratchBuffer<Complex>(count: GGWaveProtocol.frameSamples, repeating: .zero)
    /// The spectrum of the previous frame, only in the bins of markers. `[band][32]`
    private var previous: [Complex]
    /// The powers of both sums of a quantum. `[2][32]`
    private var powers = ScratchBuffer<Float>(count: 2 * GGWaveProtocol.markerBinCount, repeating: 0)
    /// The agreement of sums of two frames. `[band][16]`, that of frames f − 1 and f at f mod 16.
    private var agreements: [Float]
    private var frame: SamplePosition = 0
    /// The best peak of each band that no better one has followed yet.
    private var best: [Peak?]
    /// The last peak that was returned: the slope behind it is no peak.
    private var last: [Peak?]

    /// The number of sums of two frames that lie within a marker.
    private static let windowCount = GGWaveProtocol.markerFrames - 1
    /// The number of frames that a peak waits for a better one.
    private static let patience = 10

    init(firstBins: [Int]) {
        self.firstBins = firstBins
        previous = [Complex](repeating: .zero, count: GGWaveProtocol.markerBinCount * firstBins.count)
        agreements = [Float](repeating: 0, count: 16 * firstBins.count)
        best = [Peak?](repeating: nil, count: firstBins.count)
        last = best
    }

    /// Takes the next ``quantum`` samples and adds the peaks settled by now.
    mutating func process(_ samples: UnsafePointer<Float>, into peaks: inout [Peak]) {
        let size = GGWaveProtocol.frameSamples
        let (packed, spectrum) = (packed.claim(), spectrum.claim())
        for i in 0..<size { packed[i] = Complex(samples[i], samples[size + i]) }
        transform.forward(packed, into: spectrum)
        addAgreements(spectrum)
        for _ in 0..<2 {
            for band in firstBins.indices { look(band, into: &peaks) }
            frame += 1
        }
    }

    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout GGWaveMarkerSearch) {
        swap(&packed, &other.packed)
        swap(&spectrum, &other.spectrum)
        swap(&powers, &other.powers)
    }

    /// Ends the sound: adds the peaks that still wait.
    mutating func finish(into peaks: inout [Peak]) {
        for band in best.indices {
            if let peak = best[band] { peaks.append(peak) }
            best[band] = nil
        }
    }

    /// Adds the agreements of the two sums that end with this quantum's frames. Z = A + jB of two real frames
    /// a and b.
    private mutating func addAgreements(_ spectrum: UnsafePointer<Complex>) {
        let width = GGWaveProtocol.markerBinCount
        let first = powers.claim()
        let second = first + width
        for (band, firstBin) in firstBins.enumerated() {
            previous.withUnsafeMutableBufferPointer { previous in
                for bin in 0..<width {
                    let here = spectrum[firstBin + bin]
                    let mirrored = spectrum[GGWaveProtocol.frameSamples - firstBin - bin].conjugate
                    let (a, twice) = (here + mirrored, here - mirrored)
                    let b = Complex(twice.im, -twice.re)
                    first[bin] = (previous[band * width + bin] + a).power
                    second[bin] = (a + b).power
                    previous[band * width + bin] = b
                }
            }
            for (later, powers) in [first, second].enumerated() {
                let (right, wrong) = GGWaveMarker.sides(powers)
                agreements[16 * band + ((frame + later) & 15)] = GGWaveMarkerScore.agreement(right, wrong)
            }
        }
    }

    private mutating func look(_ band: Int, into peaks: inout [Peak]) {
        var agreement: Float = 0
        for back in 0..<GGWaveMarkerSearch.windowCount {
            agreement += agreements[16 * band + ((frame - back) & 15)]
        }
        agreement /= Float(GGWaveMarkerSearch.windowCount)
        if let peak = best[band],
            frame - peak.frame >= GGWaveMarkerSearch.windowCount + GGWaveMarkerSearch.patience
        {
            peaks.append(peak)
            last[band] = peak
            best[band] = nil
        }
        let first = frame - GGWaveMarkerSearch.windowCount
        if let peak = last[band], first - peak.frame < GGWaveProtocol.markerFrames, agreement < peak.agreement
        {
            return
        }
        guard agreement > Thresholds.ggwave.markerAgreement, agreement > best[band]?.agreement ?? 0 else {
            return
        }
        best[band] = Peak(band: band, frame: first, agreement: agreement)
    }
}
