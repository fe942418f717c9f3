import Signal

/// The sound that one device has played, as far back as any of it is still in the air.
struct Emission: Sendable {
    private let shape: BlockShape
    private let gain: Float
    private var analyser: BandAnalyser
    /// The envelope, in which a sine of 0 dB SPL at 1 m has the amplitude 1. The newest block is the last
    /// one.
    private(set) var history: [Complex]
    /// A ring with the transforms of the last blocks, each with the samples before it,
    /// `[partition][transformCount]`.
    private var spectra: [Complex]
    private var hasSound: [Bool]
    private var newest = 0
    /// The number of blocks without a sound until now.
    private var quietCount = Int.max / 2
    private var scratch: ScratchBuffer<Complex>

    /// The number of silent blocks after which a transform holds nothing: it covers the transform's own
    /// length and the filter's.
    private static let settlingCount = 4

    /// - Parameters:
    ///   - partitionCount: the number of partitions of the longest response.
    ///   - longestDelay: the longest delay of direct sound, in samples of the envelope.
    init(shape: BlockShape, fullScaleDecibelsSPL: Double, partitionCount: Int, longestDelay: Int) {
        self.shape = shape
        gain = Float(Decibels.amplitude(fullScaleDecibelsSPL))
        analyser = BandAnalyser(blockCount: shape.sampleCount)
        let past = max(shape.transformCount - shape.envelopeCount, longestDelay + BlockShape.spareCount)
        history = [Complex](repeating: .zero, count: past + shape.envelopeCount)
        spectra = [Complex](repeating: .zero, count: partitionCount * shape.transformCount)
        hasSound = [Bool](repeating: false, count: partitionCount)
        scratch = ScratchBuffer(count: shape.transformCount, repeating: .zero)
    }

    private var partitionCount: Int { hasSound.count }

    /// True if any of the sound is still in the air.
    var isInAir: Bool {
        quietCount < Emission.settlingCount + partitionCount + history.count / shape.envelopeCount + 1
    }

    /// Appends the next block; `nil` and a block of zeros are silence.
    mutating func append(_ samples: [Float]?) {
        precondition(samples.map { $0.count == shape.sampleCount } ?? true, "a block is of the air's length")
        let sounding = samples?.contains { $0 != 0 } ?? false
        quietCount = sounding ? 0 : quietCount + 1
        guard isInAir else { return }
        let count = shape.envelopeCount
        history.withUnsafeMutableBufferPointer { history in
            let z = history.baseAddress!
            let past = history.count - count
            z.update(from: z + count, count: past)
            analyser.process(sounding ? samples : nil, into: z + past)
            for m in past..<past + count { z[m] *= gain }
        }
        newest = (newest + 1) % partitionCount
        hasSound[newest] = quietCount <= Emission.settlingCount
        if hasSound[newest] { transform() }
    }

    private mutating func transform() {
        let count = shape.transformCount
        let window = scratch.claim()
        history.withUnsafeBufferPointer {
            window.update(from: $0.baseAddress! + $0.count - count, count: count)
        }
        shape.fft.forward(window)
        spectra.withUnsafeMutableBufferPointer {
            ($0.baseAddress! + newest * count).update(from: window, count: count)
        }
    }

    /// Calls `body` with the transform of the block so many blocks ago. It does not call it if that block is
    /// silent.
    func withSpectrum(blocksAgo: Int, _ body: (UnsafePointer<Complex>) -> Void) {
        let index = (newest - blocksAgo + partitionCount) % partitionCount
        guard hasSound[index] else { return }
        spectra.withUnsafeBufferPointer { body($0.baseAddress! + index * shape.transformCount) }
    }
}
