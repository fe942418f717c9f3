/// A complex sample. Its layout is that of FFTW's `fftwf_complex`: real part first.
@frozen public struct Complex: Sendable, Hashable, BitwiseCopyable {
    public var re: Float
    public var im: Float

    @inlinable public init(_ re: Float, _ im: Float = 0) {
        self.re = re
        self.im = im
    }

    @inlinable public static var zero: Complex { Complex(0, 0) }

    /// The power |z|².
    @inlinable public var power: Float { re * re + im * im }
    @inlinable public var conjugate: Complex { Complex(re, -im) }

    @inlinable public static func + (a: Complex, b: Complex) -> Complex { Complex(a.re + b.re, a.im + b.im) }
    @inlinable public static func - (a: Complex, b: Complex) -> Complex { Complex(a.re - b.re, a.im - b.im) }
    @inlinable public static func * (a: Complex, b: Complex) -> Complex {
        Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
    }
    @inlinable public static func * (a: Complex, b: Float) -> Complex { Complex(a.re * b, a.im * b) }
    @inlinable public static func += (a: inout Complex, b: Complex) { a = a + b }
    @inlinable public static func *= (a: inout Complex, b: Float) { a = a * b }
    @inlinable public static func *= (a: inout Complex, b: Complex) { a = a * b }
}
