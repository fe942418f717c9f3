import Signal

/// How long the pieces are in which an ``Air`` works.
///
/// Convolution is overlap-save, with responses in partitions as long as a block. Reference: Stockham, *High-Speed
/// Convolution and Correlation*, 1966; Gardner, *Efficient Convolution without Input–Output Delay*, JAES 43, 1995.
struct BlockShape: Sendable {
    /// What a walker's geometry is taken at: 10 ms, whatever the block.
    static let samplesPerHop = 480
    static let envelopePerHop = samplesPerHop / Band.decimation

    let sampleCount: Int
    /// The same block in samples of the envelope; also a partition of a response.
    let envelopeCount: Int
    let fft: FFT

    var transformCount: Int { fft.count }
    var hopCount: Int { sampleCount / BlockShape.samplesPerHop }
    var seconds: Double { Double(sampleCount) / Band.sampleRateHz }

    /// Results of a transform that are not wrapped around: those of the block, and at least that many before it.
    static let spareCount = 48

    init(sampleCount: Int) {
        precondition(
            sampleCount > 0 && sampleCount % BlockShape.samplesPerHop == 0, "blocks are of whole 10 ms")
        self.sampleCount = sampleCount
        envelopeCount = sampleCount / Band.decimation
        // A power of two, or that by 3, 5 or 9: quicker than 1248 = 2⁵ · 3 · 13 for being longer.
        let least = 2 * envelopeCount + BlockShape.spareCount
        fft = FFT(
            count: [16, 24, 20, 18].map { odd in
                var count = odd
                while count < least { count *= 2 }
                return count
            }.min()!)
    }
}
