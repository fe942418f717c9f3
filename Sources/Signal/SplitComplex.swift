/// Complex values with real and imaginary parts apart, in whole vectors: zeros fill the last one.
package struct SplitComplex: Sendable, Hashable {
    /// `[count]`, a multiple of 8.
    package var re: [Float]
    package var im: [Float]

    /// - Parameter count: a multiple of 8.
    package init(repeating value: Complex, count: Int) {
        precondition(count % 8 == 0, "whole vectors")
        re = [Float](repeating: value.re, count: count)
        im = [Float](repeating: value.im, count: count)
    }

    package init(_ values: [Complex]) {
        let rest = [Float](repeating: 0, count: -values.count & 7)
        (re, im) = (values.map { $0.re } + rest, values.map { $0.im } + rest)
    }
}
