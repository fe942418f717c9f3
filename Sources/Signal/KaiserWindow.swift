import Glibc

/// The Kaiser window on −1 … 1, zero outside: I₀(β √(1 − u²)) / I₀(β).
///
/// Reference: Kaiser, *Nonrecursive digital filter design using the I₀-sinh window function*, ISCAS 1974.
public struct KaiserWindow: Sendable, Hashable {
    public let beta: Double

    public init(beta: Double) { self.beta = beta }

    /// For a low pass whose stop band, and whose pass band's ripple, lie this far down.
    public init(attenuationDecibels: Double) {
        switch attenuationDecibels {
        case 50...: beta = 0.1102 * (attenuationDecibels - 8.7)
        case 21...:
            let over = attenuationDecibels - 21
            beta = 0.5842 * pow(over, 0.4) + 0.07886 * over
        default: beta = 0
        }
    }

    /// How many taps such a low pass needs when its transition is `transition` cycles per sample wide.
    public static func tapCount(attenuationDecibels: Double, transition: Double) -> Int {
        Int(((attenuationDecibels - 7.95) / (14.36 * transition)).rounded(.up)) + 1
    }

    public func value(at u: Double) -> Double {
        guard u.magnitude <= 1 else { return 0 }
        return KaiserWindow.besselI0(beta * (1 - u * u).squareRoot()) / KaiserWindow.besselI0(beta)
    }

    /// Modified Bessel function of order zero, by its power series: all terms positive, so no digit is lost.
    static func besselI0(_ x: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        var k = 1.0
        while term > sum * 1e-17 {
            term *= (x / (2 * k)) * (x / (2 * k))
            sum += term
            k += 1
        }
        return sum
    }
}
