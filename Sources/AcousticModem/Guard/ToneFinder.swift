import Signal

/// A finder of steady tones in the baseband: a squeaking power supply must not deafen the receiver.
///
///     power │      ┃            ┃ far over the median of its neighbours: a tone, in this block alone
///           │ ▂▁▂▃▁┃▂▁▃▂▁▂▁▂▁▃▁▂  or less far, but for seconds: ``StandingLines``
///           └──────┴─────────────▶ bins of 4.7 Hz
///
/// A frame's own spectrum is as ragged as noise, so it loses little.
package struct ToneFinder: BlockFinder {
    private static let blockSeconds = 0.2134
    /// The number of bins at either end of the band, where the decimator's slope is.
    private static let edgeBins = 10

    package let blockCount: Int
    /// The bins that are never taken out.
    private let edge: Range<Int>
    /// True if tones in a single block are removed; false where tones carry the frames, so that only longer
    /// ones are.
    private let takesBriefTones: Bool
    private let fft: FFT
    private let window: [Complex]
    private var lines: StandingLines
    private var block: ScratchBuffer<Complex>
    private var spectrum: ScratchBuffer<Complex>
    private var powers: ScratchBuffer<Float>
    private var shares: ScratchBuffer<Float>

    /// - Parameter takesBriefTones: true if a tone in a single block is removed, too.
    package init(band: Band, takesBriefTones: Bool = true) {
        blockCount = band.transformSamples(seconds: ToneFinder.blockSeconds)
        self.takesBriefTones = takesBriefTones
        edge = blockCount / 2 - ToneFinder.edgeBins..<blockCount / 2 + ToneFinder.edgeBins
        fft = FFT.shared(count: blockCount)
        window = BlockSubtractor<ToneFinder>.window(blockCount).map { Complex($0) }
        lines = StandingLines(blockCount: blockCount)
        block = ScratchBuffer(count: blockCount, repeating: .zero)
        spectrum = block
        powers = ScratchBuffer(count: blockCount, repeating: 0)
        shares = powers
    }

    package mutating func find(in sound: UnsafePointer<Complex>) -> UnsafePointer<Complex>? {
        let block = self.block.claim()
        let spectrum = self.spectrum.claim()
        let shares = self.shares.claim()
        Kernels.multiply(sound, window, blockCount, into: block)
        fft.forward(block, into: spectrum)
        guard findTones(UnsafePointer(spectrum), into: shares) else { return nil }
        for bin in 0..<blockCount { spectrum[bin] *= shares[bin] / Float(blockCount) }
        fft.inverse(spectrum, into: block)
        return UnsafePointer(block)
    }

    package mutating func exchangeScratch(with other: inout ToneFinder) {
        swap(&block, &other.block)
        swap(&spectrum, &other.spectrum)
        swap(&powers, &other.powers)
        swap(&shares, &other.shares)
    }

    /// Writes to `shares` the share of each bin that is to be taken out. Returns true if there is any.
    private mutating func findTones(
        _ spectrum: UnsafePointer<Complex>, into shares: UnsafeMutablePointer<Float>
    ) -> Bool {
        let powers = self.powers.claim()
        _ = Kernels.powers(spectrum, blockCount, into: powers)
        lines.follow(powers)
        shares.update(repeating: 0, count: blockCount)
        let hasBrief = takesBriefTones && findBriefTones(powers, into: shares)
        let hasLines = lines.raise(shares)
        if hasBrief || hasLines { for bin in edge { shares[bin] = 0 } }
        return hasBrief || hasLines
    }

    /// Writes 1 to `shares` where there is a tone in this block, and beside it, where its foot is. Returns
    /// true if there is any.
    private func findBriefTones(
        _ powers: UnsafePointer<Float>, into shares: UnsafeMutablePointer<Float>
    ) -> Bool {
        var stands = false
        for stretch in ToneBound.suspects(powers, blockCount) {
            let first = stretch * ToneBound.stretch
            guard let bound = ToneBound.bound(powers + first) else { continue }
            for bin in first..<first + ToneBound.stretch where powers[bin] > bound && !edge.contains(bin) {
                for near in bin - 1...bin + 1 { shares[(near + blockCount) % blockCount] = 1 }
                stands = true
            }
        }
        return stands
    }
}
