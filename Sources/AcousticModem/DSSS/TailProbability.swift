import CKernels
import Glibc
import Signal

/// The improbability of a statistic in noise: −ln P(at least this much), in nats, so that statistics of
/// different kinds have one scale.
enum TailProbability {
    /// Returns the nats of a sum of `shape` unit exponentials, exact for small shapes: −ln[e^{−x} Σ_{i<shape}
    /// x^i / i!].
    static func gammaNats(_ x: Float, shape: Int) -> Float {
        if shape <= 1 { return x }
        var term: Float = 1
        var sum: Float = 1
        for i in 1..<shape {
            term *= x / Float(i)
            sum += term
        }
        return x - log(sum)
    }

    /// Computes the nats for large shapes, by Wilson and Hilferty's cube root with the normal tail's leading
    /// term; 0 under the mean.
    ///
    /// - Parameter count: the number of statistics, a multiple of 8. No statistic is negative.
    static func wideGammaNats(
        _ x: UnsafePointer<Float>, shape: Int, _ count: Int, into nats: UnsafeMutablePointer<Float>
    ) {
        Kernels.require(count, multipleOf: 8)
        precondition(shape > 0, "a sum of something")
        nbk_wide_gamma_nats(x, Float(shape), nats, count)
    }

    /// Returns the sum of `shape` unit exponentials that noise exceeds as often as a normal variate exceeds
    /// `z`.
    static func gammaQuantile(normal z: Float, shape: Int) -> Float {
        let n = Float(shape)
        let root = 1 - 1 / (9 * n) + z / (3 * n.squareRoot())
        return n * root * root * root
    }
}
