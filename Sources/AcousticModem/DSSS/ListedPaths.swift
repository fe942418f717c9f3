import Coding

/// The paths that a list decoding ended with, and their evidence against noise.
struct ListedPaths {
    private let decoder: PolarListDecoder
    private let correlations: [Float]
    private let energy: Float
    private let infoBitCount: Int

    /// - Parameter soft: the soft bits that were decoded.
    init(_ decoder: PolarListDecoder, _ soft: [SoftBit], _ tokenClass: TokenClass) {
        self.decoder = decoder
        correlations = (0..<decoder.pathCount).map { decoder.correlation(rank: $0, with: soft) }
        energy = soft.reduce(0) { $0 + $1 * $1 }
        infoBitCount = tokenClass.infoBitCount
    }

    var count: Int { decoder.pathCount }

    /// Returns a path's info bits, 0 the likeliest.
    func infoBits(rank: Int) -> UnsafeBufferPointer<UInt8> { decoder.infoBits(rank: rank) }

    /// Returns a path's coded bits, as 0 or 1.
    func codeword(rank: Int) -> [UInt8] { decoder.codeword(rank: rank) }

    /// Returns ½ N ρ² − K ln 2: in noise the best of 2^K words reaches ½ N ρ² ≈ K ln 2.
    func codeNats(rank: Int) -> Float {
        ListedPaths.match(correlations[rank], energy: energy) - Float(infoBitCount) * 0.6931
    }

    /// The log likelihoods of all paths, but for a constant: half the correlation, as soft bits are log
    /// likelihood ratios.
    var likelihoods: [Float] { correlations.map { $0 / 2 } }

    /// Returns ½ N ρ², with ρ the correlation of the soft bits with the word: the log likelihood ratio at the
    /// best amplitude.
    static func match(_ word: [UInt8], _ soft: [SoftBit]) -> Float {
        var (correlation, energy): (Float, Float) = (0, 0)
        for index in soft.indices {
            correlation += word[index] == 1 ? soft[index] : -soft[index]
            energy += soft[index] * soft[index]
        }
        return match(correlation, energy: energy)
    }

    private static func match(_ correlation: Float, energy: Float) -> Float {
        energy > 0 && correlation > 0 ? 0.5 * correlation * correlation / energy : 0
    }
}
