/// The sixteen tones before and after a message: one of each pair of bins, alternately the lower and the
/// upper.
///
///     pair     0     1     2     3          14    15
///     start   X .   . X   X .   . X   …    X .   . X
///     end     . X   X .   . X   X .        . X   X .
enum GGWaveMarker {
    static let start = (0..<16).map { 2 * $0 + $0 % 2 }
    static let end = (0..<16).map { 2 * $0 + 1 - $0 % 2 }

    /// Returns the number of frames in which a start marker's first pair sounds on both sides, before
    /// `chunkCount` chunks.
    ///
    ///     frame    0            undecided            16
    ///     tone 0   ½  ½  ½  ½  ½ | 1  1  1  1  1  1  1
    ///     tone 1   ½  ½  ½  ½  ½ | 0  0  0  0  0  0  0
    ///
    /// ggwave's receiver tries slower protocols first. Their first chunk may hold the same length, and 4
    /// bytes of parity let 1 in 1000 random words pass, at some of 256 places. It refuses a length whose
    /// chunks last longer than all that it recorded: c chunks of f frames, and of markers 19 at most, less
    /// the undecided ones, which it did not see. The chunks of the next slower protocol last c (f + 3). Two
    /// frames are added for safety; 9 is the most, since the rest of the marker has to be seen.
    static func undecidedFrames(chunkCount: Int, of waveform: GGWaveProtocol) -> Int {
        waveform.speed == .normal ? 0 : min(max(0, 21 - 3 * chunkCount), 9)
    }

    private static let isOdd = SIMD16<Int32>(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1) .== 1

    /// Returns the values in a start marker's bins and in an end marker's, pair by pair. `[32]`
    static func sides(_ bins: UnsafePointer<Float>) -> (start: SIMD16<Float>, end: SIMD16<Float>) {
        let both = UnsafeRawPointer(bins).loadUnaligned(as: SIMD32<Float>.self)
        let (lower, upper) = (both.evenHalf, both.oddHalf)
        return (lower.replacing(with: upper, where: isOdd), upper.replacing(with: lower, where: isOdd))
    }
}
