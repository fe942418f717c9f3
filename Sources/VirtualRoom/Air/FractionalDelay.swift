import Glibc
import Signal

/// An envelope read between its samples: eight taps for each of 256 places.
///
/// The taps are those of least mean square error over the band: with R(x) the sinc of a white band ±3.2 kHz,
///
///     Σ_k R(k − l) tap[k] = R(l − place)        l = −3 … 4
///
/// Within −60 dB to 0.8 kHz of the carrier and −48 dB over the band, the nearest of 256 places taken; `FractionalDelayTests` holds it.
struct FractionalDelay: Sendable {
    /// Samples of the future it needs; of the past one less.
    static let reach = 4
    static let tapCount = 2 * reach
    private static let placeCount = 256

    static let shared = FractionalDelay()

    /// `[257][8]`, each tap twice, for real and imaginary part.
    private let taps: [SIMD16<Float>]

    private init() {
        func correlation(_ x: Double) -> Double {
            let angle = 2 * Double.pi * Band.halfWidthHz / Band.envelopeRateHz * x
            return angle == 0 ? 1 : sin(angle) / angle
        }
        let places = (0..<FractionalDelay.tapCount).map { Double($0 - FractionalDelay.reach + 1) }
        // A floor of −100 dB: nearly singular it would otherwise be.
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

    /// z at `position`, which lies in 3 … count − 4.
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

    /// out[m] += gain · turn · z[position], for m = 0 … count − 1, where all three change evenly.
    ///
    /// - Parameters:
    ///   - delays: of the first sample and of that after the last, in samples of the envelope.
    ///   - gains: the same of the amplitude.
    ///   - cycles: by which delays turn the carrier, the same.
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

    /// The eight taps of a delay, and the whole samples before the first of them.
    func taps(delay: Double) -> (first: Int, taps: [Float]) {
        let places = Int((delay * Double(FractionalDelay.placeCount)).rounded())
        let (whole, place) = (places >> 8, places & 255)
        // Reading z between its samples and delaying it is the same sum: the taps are even about their place.
        let row = taps[place]
        return (whole - FractionalDelay.reach + 1, (0..<FractionalDelay.tapCount).map { row[2 * $0] })
    }
}
