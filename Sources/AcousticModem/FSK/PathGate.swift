import Coding
import Glibc

/// What a path whose check holds must have to be a frame: evidence against noise, and rarity among paths (``PathRarity``), as
/// far over the noise every path has evidence. Nats beyond a message's own bits, both.
///
/// Near the threshold in rooms a frame is some way down the list, and has less rarity than chance's likeliest path has at
/// times; but its sync tones speak for it (`contrast`: 5 to 23 nats), while sound that is no frame has a median of −20 and 7
/// at most. So they, and little evidence, which loud sound seldom has, lower what is asked.
struct PathGate {
    private static let rarity: Float = -3
    private static let rarityPerContrast: Float = -0.5
    /// Evidence of a path that is loud; for every halving below it, and twice at most, less rarity is asked.
    private static let loudEvidence: Float = 80
    private static let rarityPerHalving: Float = -2

    /// Evidence that is asked.
    let threshold: Float
    /// ``FSKTracker/Setting/contrast`` of the frame.
    let contrast: Float
    /// Nats of a message's own bits.
    let chance: Float
    let rarities: PathRarity

    func evidence(_ nats: Float) -> Float { nats - chance }

    func rarity(_ nats: Float) -> Float { rarities.rarity(ofPath: nats) - chance }

    /// Whether a path of so many nats may be a frame.
    func accepts(_ nats: Float) -> Bool {
        let halvings = min(max(log2(PathGate.loudEvidence / max(evidence(nats), 1)), 0), 2)
        let least =
            PathGate.rarity + PathGate.rarityPerContrast * max(contrast, 0) + PathGate.rarityPerHalving
            * halvings
        return evidence(nats) > threshold && rarity(nats) > least
    }
}
