import Glibc
import Signal

/// Baseband → correlation with the pilot cluster, at every sample and every coarse Doppler bin.
///
/// It works by overlap-save: one forward transform for each block, one inverse transform for each bin.
struct ClusterCorrelator: Sendable {
    /// The length of a block: long blocks cost least, short ones are full soonest.
    enum BlockLength: Sendable {
        case long
        case short

        private var seconds: Double { self == .long ? 0.2134 : 0.0534 }
        func transformCount(_ band: Band) -> Int { band.transformSamples(seconds: seconds) }
    }

    let transformCount: Int
    private let fft: FFT
    private let templates: [Complex]  // [binCount][transformCount], conjugated spectra
    /// The number of outputs of a block.
    let hop: Int
    private var spectrum: ScratchBuffer<Complex>
    private var product: ScratchBuffer<Complex>
    private var values: ScratchBuffer<Complex>

    init(grid: SearchGrid, blocks: BlockLength = .long) {
        let transformCount = blocks.transformCount(grid.profile.band)
        let fft = FFT.shared(count: transformCount)
        (self.transformCount, self.fft) = (transformCount, fft)
        // The hop is a multiple of whole vectors: transforms into aligned places are the fast ones.
        hop = (transformCount - grid.templateCount + 1) & ~3
        spectrum = ScratchBuffer(count: transformCount, repeating: .zero)
        product = ScratchBuffer(count: transformCount, repeating: .zero)
        values = ScratchBuffer(count: transformCount, repeating: .zero)
        let pulse = ChipPulse(gaussianBT: grid.profile.gaussianBT)
        templates = (0..<grid.binCount).flatMap { bin in
            var template = ClusterCorrelator.template(grid: grid, bin: bin, pulse)
            template += [Complex](repeating: .zero, count: transformCount - template.count)
            fft.forward(&template)
            return template.map { $0.conjugate * (1 / Float(transformCount)) }
        }
    }

    /// Returns a cluster as it arrives at the bin's Doppler, with unit energy. `[templateCount]`
    static func template(grid: SearchGrid, bin: Int, _ pulse: ChipPulse) -> [Complex] {
        let offsetHz = grid.binOffsetHz(bin)
        let stretch = 1 + offsetHz / grid.profile.carrierHz
        let samples = (0..<grid.templateCount).map { n -> (Double, Double) in
            let chipTime = (Double(n) - grid.templateLeadSamples) / grid.samplesPerChip * stretch
            var sum = (0.0, 0.0)
            for (m, chip) in grid.profile.pilots.code.enumerated() {
                let value = Double(chip) * pulse.value(chipTime - Double(m))
                switch m & 3 {
                case 0: sum.0 += value
                case 1: sum.1 += value
                case 2: sum.0 -= value
                default: sum.1 -= value
                }
            }
            let angle = 2 * Double.pi * offsetHz * Double(n) / grid.profile.band.rateHz
            return (sum.0 * cos(angle) - sum.1 * sin(angle), sum.0 * sin(angle) + sum.1 * cos(angle))
        }
        let norm = 1 / samples.reduce(0) { $0 + $1.0 * $1.0 + $1.1 * $1.1 }.squareRoot()
        return samples.map { Complex(Float($0.0 * norm), Float($0.1 * norm)) }
    }

    /// Takes a block of `transformCount` samples to be correlated.
    mutating func take(_ block: UnsafePointer<Complex>) {
        let product = self.product.claim()
        product.copy(from: block, count: transformCount)
        fft.forward(product, into: spectrum.claim())
    }

    /// Correlates the block taken last with a bin. Writes `hop` values. If `mayRunOver`, the rest of the
    /// `transformCount` places may hold any values afterwards.
    mutating func correlate(bin: Int, into target: UnsafeMutablePointer<Complex>, mayRunOver: Bool) {
        let product = self.product.claim()
        let spectrum = self.spectrum.claim()
        templates.withUnsafeBufferPointer {
            Kernels.multiply(
                spectrum, $0.baseAddress! + bin * transformCount, transformCount, into: product)
        }
        if mayRunOver {
            fft.inverse(product, into: target)
        } else {
            let values = self.values.claim()
            fft.inverse(product, into: values)
            target.copy(from: values, count: hop)
        }
    }
}
