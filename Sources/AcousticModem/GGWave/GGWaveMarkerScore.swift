/// How much a stretch of sound looks like a marker.
struct GGWaveMarkerScore: Sendable {
    /// Σ over the pairs of (right − wrong) / (right + wrong): −16 for an end marker to 16 for a start marker. A pair
    /// counts for one at most, whatever sounds there.
    var agreement: Float
    /// Σ (right − wrong), in the units of ``GGWaveToneReader``.
    var excess: Float
    /// Mean power of the wrong bins: noise.
    var noise: Float

    /// Variance of ``agreement`` in white noise: of a ratio of two sums of eight exponential variables each, 1/17 a pair.
    static let variance: Float = 16.0 / 17

    /// The marker that begins at `start`, eight windows of two frames. Windows count alike, so a click is one of eight.
    init(
        at start: Int, firstBin: Int, _ history: SampleHistory, _ reader: inout GGWaveToneReader,
        _ powers: inout [Float]
    ) {
        let starts = (0..<8).map { start + 2 * $0 * GGWaveProtocol.frameSamples }
        let width = GGWaveProtocol.markerBinCount
        reader.read(history, starts: starts, frames: 2, bins: firstBin..<firstBin + width, into: &powers)
        var right = SIMD16<Float>.zero
        var wrong = SIMD16<Float>.zero
        (excess, noise) = (0, 0)
        for window in 0..<8 {
            var (rightHere, wrongHere) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
            for pair in 0..<16 {
                rightHere[pair] = powers[window * width + GGWaveMarker.start[pair]]
                wrongHere[pair] = powers[window * width + GGWaveMarker.end[pair]]
            }
            let (rightSum, wrongSum) = (rightHere.sum(), wrongHere.sum())
            let weight = 1 / max(rightSum + wrongSum, .leastNormalMagnitude)
            right += rightHere * weight
            wrong += wrongHere * weight
            excess += (rightSum - wrongSum) / 8
            noise += wrongSum / 128
        }
        agreement = GGWaveMarkerScore.agreement(right, wrong)
    }

    static func agreement(_ right: SIMD16<Float>, _ wrong: SIMD16<Float>) -> Float {
        ((right - wrong) / (right + wrong + .leastNormalMagnitude)).sum()
    }
}
