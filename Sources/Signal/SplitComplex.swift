/// Complex values, real and imaginary parts apart, as vectors like them: zeros fill the last one.
public struct SplitComplex: Sendable, Hashable {
    /// `[count]`, a multiple of 8.
    @usableFromInline var re: [Float]
    @usableFromInline var im: [Float]

    public init(_ values: [Complex]) {
        let rest = [Float](repeating: 0, count: -values.count & 7)
        (re, im) = (values.map { $0.re } + rest, values.map { $0.im } + rest)
    }
}
