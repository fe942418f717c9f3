import Signal

/// Coherent sums of a segment's clusters at eight fine Dopplers, in the three thirds whose signs make a lane.
struct GroupSums {
    private var re: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)
    private var im: (SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)

    /// - Parameter values: the bin's correlations from the segment's first cluster on.
    @inline(__always)
    init(_ values: UnsafePointer<Complex>, _ grid: SearchGrid, _ bin: Int, _ group: Int) {
        let perThird = grid.clusterCount / PilotPattern.groupCount
        (re, im) = grid.withGroup(bin: bin, group: group) { offsets, turnRe, turnIm in
            @inline(__always) func third(_ first: Int) -> (SIMD8<Float>, SIMD8<Float>) {
                var sumRe = SIMD8<Float>(repeating: 0)
                var sumIm = SIMD8<Float>(repeating: 0)
                for cluster in first..<first + perThird {
                    let value = values[offsets[cluster]]
                    sumRe += turnRe[cluster] * value.re - turnIm[cluster] * value.im
                    sumIm += turnRe[cluster] * value.im + turnIm[cluster] * value.re
                }
                return (sumRe, sumIm)
            }
            let (a, b, c) = (third(0), third(perThird), third(2 * perThird))
            return ((a.0, b.0, c.0), (a.1, b.1, c.1))
        }
    }

    /// All sums times a factor.
    @inline(__always)
    func scaled(by factor: Float) -> GroupSums {
        var sums = self
        sums.re = (re.0 * factor, re.1 * factor, re.2 * factor)
        sums.im = (im.0 * factor, im.1 * factor, im.2 * factor)
        return sums
    }

    /// Σ over the thirds of |·|²: what is left when the phase wanders.
    @inline(__always)
    var incoherent: SIMD8<Float> {
        re.0 * re.0 + im.0 * im.0 + re.1 * re.1 + im.1 * im.1 + re.2 * re.2 + im.2 * im.2
    }

    /// |Σ|² under one of ``PilotPattern/lanePatterns``.
    @inline(__always)
    func power(pattern: Int) -> SIMD8<Float> {
        let middle: Float = pattern < 2 ? 1 : -1
        let last: Float = pattern & 1 == 0 ? 1 : -1
        let sumRe = re.0 + re.1 * middle + re.2 * last
        let sumIm = im.0 + im.1 * middle + im.2 * last
        return sumRe * sumRe + sumIm * sumIm
    }
}
