/// The sixteen tones before and after a message: one of each pair of bins, by turns the lower and the upper.
///
///     pair     0     1     2     3          14    15
///     start   X .   . X   X .   . X   …    X .   . X
///     end     . X   X .   . X   X .        . X   X .
enum GGWaveMarker {
    static let start = (0..<16).map { 2 * $0 + $0 % 2 }
    static let end = (0..<16).map { 2 * $0 + 1 - $0 % 2 }
}
