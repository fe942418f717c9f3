import CKernels
import Glibc
import Signal

/// A table of the log likelihood ratio of a window's energy: a tone in it against noise alone.
///
///     ln p(e | A², σ) / p(e | noise) = e − ln(1+σ) − (e + A²)/(1+σ) + ln I₀(2 A √e / (1+σ))
///
/// e, A² (steady part) and σ (scattered part) over the mean noise energy. Reference: the Rice distribution.
struct ToneTable: Sendable {
    private let greatest: Float
    private let perEnergy: Float
    /// The ratios and their exponentials.
    private let ratios: [Float]
    private let likelihoods: [Float]
    /// Ratios and likelihoods, interleaved.
    private let pairs: [Float]

    private static let size = 1024
    /// The greatest nats, so that exponentials and sums of 64 of them stay finite.
    private static let mostNats = 80.0

    /// - Parameter greatest: the energy beyond which the ratio does not grow.
    init(steady: Float, scattered: Float, greatest: Float) {
        self.greatest = greatest
        perEnergy = Float(ToneTable.size - 1) / greatest
        let step = Double(greatest) / Double(ToneTable.size - 1)
        ratios = (0..<ToneTable.size).map {
            Float(ToneTable.ratio(Double($0) * step, steady: Double(steady), scattered: Double(scattered)))
        }
        likelihoods = ratios.map { Float(exp(min(Double($0), ToneTable.mostNats))) }
        pairs = zip(ratios, likelihoods).flatMap { [$0, $1] }
    }

    @inline(__always)
    private func place(_ energy: Float) -> Int {
        // NaN counts as the greatest energy, as in the kernel.
        Int(max(energy < greatest ? energy : greatest, 0) * perEnergy + 0.5)
    }

    @inline(__always)
    func ratio(_ energy: Float) -> Float { ratios[place(energy)] }

    @inline(__always)
    func likelihood(_ energy: Float) -> Float { likelihoods[place(energy)] }

    /// Returns the places of energies in this table and in every other of the same greatest energy.
    func places(of values: ArraySlice<Complex>) -> [UInt16] { values.map { UInt16(place($0.power)) } }

    func ratio(at place: UInt16) -> Float { ratios[Int(place)] }

    /// Returns the sum of the likelihoods at `count` of `places` from `first` on.
    func likelihoodSum(at places: [UInt16], from first: Int, count: Int) -> Float {
        places.withUnsafeBufferPointer { Kernels.sum(of: likelihoods, at: $0.baseAddress! + first, count) }
    }

    /// Returns the sum of the likelihoods of the energies of `values`, a multiple of 16 of them, 64 at most.
    func likelihoodSum(of values: UnsafePointer<Complex>, _ count: Int) -> Float {
        precondition(count <= 64, "the room for them")
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: 256) { scratch in
            let energies = scratch.baseAddress!
            let (gains, ratios, likelihoods) = (energies + 64, energies + 128, energies + 192)
            _ = Kernels.powers(values, count, into: energies)
            gains.update(repeating: 1, count: count)
            lookUp(energies, scale: 1, gains: gains, count, ratios: ratios, likelihoods: likelihoods)
            return Kernels.sum(likelihoods, count)
        }
    }

    /// Looks up ratios and likelihoods of `energies[i] · scale · gains[i]`, all `[count]`, a multiple of 8.
    func lookUp(
        _ energies: UnsafePointer<Float>, scale: Float, gains: UnsafePointer<Float>, _ count: Int,
        ratios: UnsafeMutablePointer<Float>, likelihoods: UnsafeMutablePointer<Float>
    ) {
        Kernels.require(count, multipleOf: 8)
        nbk_look_up(energies, gains, scale, greatest, perEnergy, pairs, ratios, likelihoods, count)
    }

    /// Returns the ratio by its definition.
    static func ratio(_ energy: Double, steady: Double, scattered: Double) -> Double {
        let spread = 1 + scattered
        let plain = energy - log(spread) - (energy + steady) / spread
        return steady > 1e-6 ? plain + logI0(2 * (steady * energy).squareRoot() / spread) : plain
    }

    /// Returns ln I₀(x): the series to its sixth term, or the asymptotic expansion. Abramowitz and Stegun
    /// 9.6.12, 9.7.1.
    static func logI0(_ x: Double) -> Double {
        guard x < 4 else {
            return x - 0.5 * log(2 * .pi * x) + log1p(0.125 / x + 0.070_312_5 / (x * x))
        }
        let q = x * x / 4
        var (term, sum) = (1.0, 0.0)
        for k in 1...12 {
            term *= q / Double(k * k)
            sum += term
        }
        return log1p(sum)
    }
}
