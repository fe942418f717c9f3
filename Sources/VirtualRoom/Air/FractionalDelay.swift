import Glibc
import Signal

/// An interpolator that reads an envelope between its samples, with eight taps for each of 256 places.
///
/// The taps have the least mean square error over the band. With R(x) the sinc of a white band ±3.2 kHz:
///
///     Σ_k R(k − l) tap[k] = R(l − place)        l = −3 … 4
///
/// With the nearest of 256 places, the error is within −60 dB up to 0.8 kHz from the carrier and within −48
/// dB over the band; `FractionalDelayTests` verifies this.
struct FractionalDelay: Sendable {
    /// The number of future samples that it needs; it needs one past sample less.
    static let reach = 4
    static let tapCount = 2 * reach
    private static let placeCount = 256

    static let shared = FractionalDelay()

    /// The taps, `[257][8]`, each of them twice for the real and the imaginary part.
    private let taps: [SIMD16<Float>]

    private init() {
        func correlation(_ x: Double) -> Double {
            let angle = 2 * Double.pi * Band.halfWidthHz / Band.envelopeRateHz * x
            return angle == 0 ? 1 : sin(angle) / angle
        }
        let places = (0..<FractionalDelay.tapCount).map { Double($0 - FractionalDelay.reach + 1) }
        // A floor of −100 dB keeps the matrix from being nearly singular.
        let matrix = places.map { l in places.map { correlation($0 - l) + ($0 == l ? 1e-10 : 0) } }
        let rightSides = (0...FractionalDelay.placeCount).map { place in
            places.map { correlation($0 - Double(place) / Double(FractionalDelay.placeCount)) }
        }
        taps = LinearSystem.solve(matrix, rightSides).map { row in
            var pairs = SIMD16<Float>()
            for (k, tap) in row.enumerated() { (pairs[2 * k], pairs[2 * k + 1]) = (Float(tap), Float(tap)) }
            return pairs
        }
    }

    /// Returns z at `position`, which lies in 3 … count − 4.
    @inline(__always)
    func read(
        _ z: UnsafePointer<Complex>, at position: Double, _ taps: UnsafePointer<SIMD16<Float>>
    ) -> Complex {
        let places = Int((position * Double(FractionalDelay.placeCount)).rounded())
        let (whole, place) = (places >> 8, places & 255)
        let first = UnsafeRawPointer(z + whole - FractionalDelay.reach + 1)
        let products = first.loadUnaligned(as: SIMD16<Float>.self) * taps[place]
        let eight = products.lowHalf + products.highHalf
        let four = eight.lowHalf + eight.highHalf
        return Complex(four.x + four.z, four.y + four.w)
    }

    /// Adds out[m] += gain · turn · z[position], for m = 0 … count − 1, where all three change evenly.
    ///
    /// - Parameters:
    ///   - delays: the delays of the first sample and of the one after the last, in samples of the envelope.
    ///   - gains: the amplitudes at the same two samples.
    ///   - cycles: the carrier's turns by the delays, at the same two samples.
    func add(
        _ z: UnsafePointer<Complex>, delays: (Double, Double), gains: (Double, Double),
        cycles: (Double, Double), count: Int, to out: UnsafeMutablePointer<Complex>
    ) {
        let step = 1 - (delays.1 - delays.0) / Double(count)
        let angle = 2 * Double.pi * (cycles.1 - cycles.0) / Double(count)
        let first = 2 * Double.pi * (cycles.0 - cycles.0.rounded(.down))
        let turn = Complex(Float(cos(angle)), Float(sin(angle)))
        var phasor = Complex(Float(cos(first)), Float(sin(first)))
        let gainStep = Float((gains.1 - gains.0) / Double(count))
        taps.withUnsafeBufferPointer { taps in
            var gain = Float(gains.0)
            for m in 0..<count {
                let value = read(z, at: Double(m) * step - delays.0, taps.baseAddress!)
                out[m] += phasor * value * gain
                phasor *= turn
                gain += gainStep
            }
        }
    }

    /// Returns the eight taps of a delay, and the number of whole samples before the first of them.
    func taps(delay: Double) -> (first: Int, taps: [Float]) {
        let places = Int((delay * Double(FractionalDelay.placeCount)).rounded())
        let (whole, place) = (places >> 8, places & 255)
        // Reading z between its samples and delaying it are the same sum, because the taps are even around
        // their place.
        let row = taps[place]
        return (whole - FractionalDelay.reach + 1, (0..<FractionalDelay.tapCount).map { row[2 * $0] })
    }
}
