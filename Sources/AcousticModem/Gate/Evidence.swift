/// The evidence for one candidate, in nats over what noise reaches. Quantities that a family does not measure
/// stay at their default.
struct Evidence: Sendable {
    /// The stage that a candidate has reached.
    enum Stage: Sendable {
        /// A search found it.
        case found
        /// It was decoded, and no check held.
        case decoded
        /// It was decoded, and a check held.
        case checked
    }

    var stage: Stage
    /// The evidence of the known part of a frame alone: of pilots, sync tones or markers.
    var pilotNats: Float = 0
    /// The evidence of the known part and the code together.
    var nats: Float = 0
    /// The nats by which the sync symbols favour their own tones over any others.
    var contrast: Float = 0
    /// The nats by which a path is rarer than chance's likeliest path.
    var rarity: Float = 0
    /// The nats by which a message is likelier than the next likely one.
    var margin: Float = 0
    /// The nats by which a word is likelier than those of the other words of its list that chance could pass
    /// (``ListPosterior``).
    var posteriorNats: Float = 0
    /// The nats that the pilots must bring beyond the usual because the sound holds little energy.
    var missingNats: Float = 0
    /// The frames of one token that were searched or decoded together.
    var frameCount = 1
    /// The segments that were decoded together; a frame may have several. Several channels' views of a
    /// segment are one.
    var lookCount = 1
    /// True if so much is being tried that chance hits become likely.
    var isStrained = false
    /// True if so many words were kept out by their check alone that chance soon passes one of them.
    var isDoubted = false

    /// The evidence of the code alone.
    var codeNats: Float { nats - pilotNats }
}
