/// The sixteen tones before and after a message: one of each pair of bins, by turns the lower and the upper.
///
///     pair     0     1     2     3          14    15
///     start   X .   . X   X .   . X   …    X .   . X
///     end     . X   X .   . X   X .        . X   X .
enum GGWaveMarker {
    static let start = (0..<16).map { 2 * $0 + $0 % 2 }
    static let end = (0..<16).map { 2 * $0 + 1 - $0 % 2 }

    private static let isOdd = SIMD16<Int32>(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1) .== 1

    /// What stands in a start marker's bins and in an end marker's, pair by pair. `[32]`
    static func sides(_ bins: UnsafePointer<Float>) -> (start: SIMD16<Float>, end: SIMD16<Float>) {
        let both = UnsafeRawPointer(bins).loadUnaligned(as: SIMD32<Float>.self)
        let (lower, upper) = (both.evenHalf, both.oddHalf)
        return (lower.replacing(with: upper, where: isOdd), upper.replacing(with: lower, where: isOdd))
    }
}
