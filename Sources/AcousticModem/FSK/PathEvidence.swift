import Coding

/// The evidence of paths: their nats, and how rare these are among paths (``PathRarity``), both beyond a message's own bits.
///
/// Near the threshold in rooms a frame is some way down the list, and has less rarity than chance's likeliest path has at
/// times; but its sync tones speak for it, while they seldom do for other sound. So they, and little evidence, which loud sound
/// seldom has, lower the rarity that the gate asks for.
struct PathEvidence {
    /// The nats of a message's own bits.
    private let chance: Float
    private let rarities: PathRarity

    /// - Parameters:
    ///   - metrics: of the data symbols.
    ///   - bitCount: of a message.
    init(_ metrics: ToneMetrics, bitCount: Int) {
        chance = 0.6931 * Float(bitCount)
        rarities = PathRarity(metrics)
    }

    /// - Parameter nats: the path's, as the decoder counts them.
    func evidence(ofPath nats: Float, _ stage: Evidence.Stage) -> Evidence {
        Evidence(stage: stage, nats: nats - chance, rarity: rarities.rarity(ofPath: nats) - chance)
    }
}
