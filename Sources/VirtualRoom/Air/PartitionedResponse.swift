import Signal

/// An impulse response on the band's envelope, cut into blocks and transformed. ``Emission`` holds the sound
/// that it is applied to.
struct PartitionedResponse: Sendable {
    private let firstPartition: Int
    private let count: Int
    /// The partitions' transforms, `[count][transformCount]`.
    private let spectra: [Complex]
    private let transformCount: Int

    /// - Parameters:
    ///   - response: `[n]` at the envelope's rate.
    ///   - first: the number of silent samples before the response.
    init(_ response: [Complex], after first: Int, shape: BlockShape) {
        let block = shape.envelopeCount
        transformCount = shape.transformCount
        firstPartition = first / block
        let last = (first + response.count + block - 1) / block
        count = last - firstPartition
        var spectra = [Complex](repeating: .zero, count: count * transformCount)
        // Inverse transforms are not normalised, so that the response contains the factor.
        let scale = 1 / Float(transformCount)
        for (i, value) in response.enumerated() {
            let place = first + i - firstPartition * block
            spectra[place / block * transformCount + place % block] = value * scale
        }
        spectra.withUnsafeMutableBufferPointer {
            for first in stride(from: 0, to: $0.count, by: shape.transformCount) {
                shape.fft.forward($0.baseAddress! + first)
            }
        }
        self.spectra = spectra
    }

    /// Adds the transform of the part of an emission that arrives now. Shape: sum `[transformCount]`.
    func add(_ emission: Emission, to sum: UnsafeMutablePointer<Complex>) {
        spectra.withUnsafeBufferPointer { spectra in
            for partition in 0..<count {
                emission.withSpectrum(blocksAgo: firstPartition + partition) {
                    Kernels.multiplyAdd(
                        $0, spectra.baseAddress! + partition * transformCount, transformCount, into: sum)
                }
            }
        }
    }
}
