import Signal

/// The lengths of the pieces in which an ``Air`` works.
///
/// Convolution is overlap-save, with responses in partitions as long as a block. Reference: Stockham,
/// *High-Speed Convolution and Correlation*, 1966; Gardner, *Efficient Convolution without Input–Output
/// Delay*, JAES 43, 1995.
struct BlockShape: Sendable {
    /// The interval at which a walker's geometry is computed: 10 ms, whatever the block's length.
    static let samplesPerHop = 480
    static let envelopePerHop = samplesPerHop / Band.decimation

    let sampleCount: Int
    /// The block's length in samples of the envelope, which is also the length of a response's partition.
    let envelopeCount: Int
    let fft: FFT

    var transformCount: Int { fft.count }
    var hopCount: Int { sampleCount / BlockShape.samplesPerHop }
    var seconds: Double { Double(sampleCount) / Band.sampleRateHz }

    /// The number of a transform's results before those of the block that are not wrapped around either;
    /// there are at least so many.
    static let spareCount = 48

    init(sampleCount: Int) {
        precondition(
            sampleCount > 0 && sampleCount % BlockShape.samplesPerHop == 0, "blocks are of whole 10 ms")
        self.sampleCount = sampleCount
        envelopeCount = sampleCount / Band.decimation
        // The length is a power of two, or one times 9/8, 5/4 or 3/2. Such a longer transform is faster than
        // one of 1248 = 2⁵ · 3 · 13.
        let least = 2 * envelopeCount + BlockShape.spareCount
        fft = FFT(
            count: [16, 24, 20, 18].map { odd in
                var count = odd
                while count < least { count *= 2 }
                return count
            }.min()!)
    }
}
