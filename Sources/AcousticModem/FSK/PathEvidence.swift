import Coding

/// The evidence of paths: their nats and their rarity among paths (``PathRarity``), both beyond a message's
/// own bits.
///
/// Near the threshold in rooms, a frame stands some way down the list, and may have less rarity than the
/// likeliest path of chance. But its sync tones support it, which they seldom do for other sound. So sync
/// tones, and little evidence, which loud sound seldom has, lower the rarity that the gate asks for.
struct PathEvidence {
    /// The nats of a message's own bits.
    private let chance: Float
    private let rarities: PathRarity

    /// - Parameters:
    ///   - metrics: the metrics of the data symbols.
    ///   - bitCount: the number of bits in a message.
    init(_ metrics: ToneMetrics, bitCount: Int) {
        chance = 0.6931 * Float(bitCount)
        rarities = PathRarity(metrics)
    }

    /// - Parameter nats: the path's, as the decoder counts them.
    func evidence(ofPath nats: Float, _ stage: Evidence.Stage) -> Evidence {
        Evidence(stage: stage, nats: nats - chance, rarity: rarities.rarity(ofPath: nats) - chance)
    }
}
