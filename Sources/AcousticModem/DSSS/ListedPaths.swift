import Coding
import Glibc

/// The paths that a list decoding ended with, and their evidence against noise and against one another.
struct ListedPaths {
    private let decoder: PolarListDecoder
    private let correlations: [Float]
    private let energy: Float
    private let infoBitCount: Int

    /// ln 2 for each check bit: chance passes one word in 2²⁴.
    private static let checkNats = Float(TokenField.checkBitCount) * 0.6931

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

    /// Returns the log likelihood ratio of a path to all other words of its list that chance could pass
    /// together, in nats: if a frame is there, the word is wrong with a probability of about exp(−nats).
    /// Reference: Forney, *Exponential Error Bounds for Erasure, List, and Decision Feedback Schemes*, IEEE
    /// Trans. IT 14(2), 1968, eq. 11.
    func posteriorNats(rank: Int) -> Float {
        // Soft bits are log likelihood ratios, so a word's log likelihood is half its correlation.
        var others: Float = .leastNormalMagnitude
        for other in correlations.indices where other != rank {
            others += exp((correlations[other] - correlations[rank]) / 2)
        }
        return ListedPaths.checkNats - log(others)
    }

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
