/// A complex sample. Its layout is that of FFTW's `fftwf_complex`: real part first.
package struct Complex: Sendable, Hashable, BitwiseCopyable {
    package var re: Float
    package var im: Float

    @inlinable package init(_ re: Float, _ im: Float = 0) {
        self.re = re
        self.im = im
    }

    package static let zero = Complex(0, 0)

    /// The power |z|².
    @inlinable package var power: Float { re * re + im * im }
    @inlinable package var conjugate: Complex { Complex(re, -im) }

    @inlinable package static func + (a: Complex, b: Complex) -> Complex { Complex(a.re + b.re, a.im + b.im) }
    @inlinable package static func - (a: Complex, b: Complex) -> Complex { Complex(a.re - b.re, a.im - b.im) }
    @inlinable package static func * (a: Complex, b: Complex) -> Complex {
        Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
    }
    @inlinable package static func * (a: Complex, b: Float) -> Complex { Complex(a.re * b, a.im * b) }
    @inlinable package static func += (a: inout Complex, b: Complex) { a = a + b }
    @inlinable package static func *= (a: inout Complex, b: Float) { a = a * b }
    @inlinable package static func *= (a: inout Complex, b: Complex) { a = a * b }
}
