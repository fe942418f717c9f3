import Signal

/// A measure of how much a stretch of sound looks like a marker.
struct GGWaveMarkerScore: Sendable {
    /// The mean of ``agreement(_:_:)`` over the windows: sound that lasts half as long as a marker agrees
    /// half as well.
    var agreement: Float
    /// Σ (right − wrong), in the units of ``GGWaveToneReader``, over the middle eight pairs of each window:
    /// tones of data reach only a few pairs.
    var excess: Float

    static let windowCount = 8
    /// The variance of ``agreement`` in white noise: a third for each pair in each window.
    static let variance = 16 / (3 * Float(windowCount))

    /// Scores a marker that begins at `start`, in windows of two frames.
    init(
        at start: SamplePosition, firstBin: Int, _ history: SampleHistory, _ reader: inout GGWaveToneReader,
        _ powers: inout [Float]
    ) {
        let starts = (0..<GGWaveMarkerScore.windowCount).map { start + 2 * $0 * GGWaveProtocol.frameSamples }
        let width = GGWaveProtocol.markerBinCount
        reader.read(history, starts: starts, frames: 2, bins: firstBin..<firstBin + width, into: &powers)
        (agreement, excess) = (0, 0)
        for window in starts.indices {
            let (right, wrong) = powers.withUnsafeBufferPointer {
                GGWaveMarker.sides($0.baseAddress! + window * width)
            }
            agreement += GGWaveMarkerScore.agreement(right, wrong) / Float(GGWaveMarkerScore.windowCount)
            excess += GGWaveMarkerScore.middleSum(right - wrong)
        }
    }

    /// Returns Σ over the pairs of (right − wrong) / (right + wrong): −16 for an end marker to 16 for a start
    /// marker. Each pair counts for one at most, however loud it is.
    static func agreement(_ right: SIMD16<Float>, _ wrong: SIMD16<Float>) -> Float {
        ((right - wrong) / (right + wrong + .leastNormalMagnitude)).sum()
    }

    private static func middleSum(_ values: SIMD16<Float>) -> Float {
        var sorted = values
        return withUnsafeMutableBytes(of: &sorted) { bytes in
            let values = bytes.bindMemory(to: Float.self)
            values.heapSort { $0 < $1 }
            return values[4..<12].reduce(0, +)
        }
    }
}
