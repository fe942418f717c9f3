import Glibc
import Signal

/// The layers under e^{−x²/2}, each of the same area; layer 0 is the bottom one with the tail beyond
/// `tailStart`.
///
///     layer i:  0 … width[i], between heights e^{−width[i]²/2} and e^{−width[i+1]²/2}
struct Ziggurat: Sendable {
    struct Layer: Sendable, BitwiseCopyable {
        /// The layer's right edge over 2⁵⁵.
        var scale: Double
        /// The fractions of the width, in units of 2⁻⁵⁵, that are surely under the curve: as wide as the
        /// layer above.
        var sure: UInt64
    }

    static let shared = Ziggurat()

    let table: [Layer]
    private let width: [Double]
    private let height: [Double]

    private static let layerCount = 256
    /// The beginning r of the tail, such that 256 equal areas end exactly at the peak; `NoiseSourceTests`
    /// checks the end.
    static let tailStart = 3.654152885361009
    private static let unit = 0x1p55

    private init() {
        let r = Ziggurat.tailStart
        let tailArea = (Double.pi / 2).squareRoot() * erfc(r / 2.0.squareRoot())
        let area = r * exp(-r * r / 2) + tailArea
        var width = [area / exp(-r * r / 2), r]
        for _ in 2..<Ziggurat.layerCount {
            let last = width[width.count - 1]
            let top = area / last + exp(-last * last / 2)
            width.append((-2 * log(min(1, top))).squareRoot())
        }
        width.append(0)
        self.width = width
        height = width.map { exp(-$0 * $0 / 2) }
        table = (0..<Ziggurat.layerCount).map {
            Layer(scale: width[$0] / Ziggurat.unit, sure: UInt64(width[$0 + 1] / width[$0] * Ziggurat.unit))
        }
    }

    /// The relative difference of the topmost layer's area from the others': 0 if `tailStart` is right.
    var closureError: Double {
        let area = width[1] * (height[2] - height[1])
        return width[255] * (1 - height[255]) / area - 1
    }

    /// Returns one standard normal value. A word of the generator gives 8 bits of layer, 1 bit of sign, 55
    /// bits of place.
    @inline(__always)
    func sample(_ layers: UnsafePointer<Layer>, _ generator: inout SplitMix64) -> Float {
        let word = generator.next()
        let layer = layers[Int(word & 255)]
        let place = word >> 9
        guard place < layer.sure else { return atTheEdge(word, &generator) }
        // The integer takes the sign: a branch on a random sign would be mispredicted half of the time.
        let sign = 1 - Int64((word >> 8) & 1) * 2
        return Float(Double(Int64(place) * sign) * layer.scale)
    }

    @inline(never)
    private func atTheEdge(_ first: UInt64, _ generator: inout SplitMix64) -> Float {
        var word = first
        while true {
            let index = Int(word & 255)
            let sign = word & 256 == 0 ? 1.0 : -1.0
            let x = Double(word >> 9) * table[index].scale
            if word >> 9 < table[index].sure { return Float(sign * x) }
            if index == 0 { return Float(sign * tail(&generator)) }
            let y = height[index] + generator.nextUnit() * (height[index + 1] - height[index])
            if y < exp(-x * x / 2) { return Float(sign * x) }
            word = generator.next()
        }
    }

    /// Returns a value beyond `tailStart`. Reference: Marsaglia, *Generating a Variable from the Tail of the
    /// Normal Distribution*, Technometrics 6, 1964.
    private func tail(_ generator: inout SplitMix64) -> Double {
        while true {
            let x = -log(generator.nextUnit()) / Ziggurat.tailStart
            let y = -log(generator.nextUnit())
            if 2 * y > x * x { return Ziggurat.tailStart + x }
        }
    }
}
