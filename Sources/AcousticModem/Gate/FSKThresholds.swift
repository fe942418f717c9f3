/// The thresholds of the FSK receivers, in the order in which sound meets them. All are nats over noise
/// unless they say otherwise.
struct FSKThresholds: Sendable {
    // MARK: Cells of a search (``FSKAcquisition``, ``FSKRepeatSearch``)

    /// The score of a cell that is asked for its contrast. Chosen, not measured.
    let cellNats: Float = -3
    /// The contrast of a cell. At the symbols of a strong frame, but out of step with it, sync symbols speak
    /// for other tones by far.
    let cellContrast: Float = -10
    /// The share of an even part of the score that each quarter of a frame has, less `quarterAllowanceNats`:
    /// out of step with a strong frame some have nothing.
    let quarterShare: Float = 0.2
    /// The share of the score that the other quarters have besides the greatest one, less
    /// `quarterAllowanceNats`: just before a strong frame, the last quarter has all.
    let otherQuartersShare: Float = 0.4
    /// The allowance of both shares. Chosen, not measured.
    let quarterAllowanceNats: Float = 8
    /// The score of a cell in which a piece of a frame that was cut may stand.
    let pieceNats: Float = 30
    /// The contrast of the two sync tones that such a piece has.
    let pieceContrast: Float = 7
    /// The score of a walker's candidate.
    let walkerNats: Float = 9
    /// The nats that all symbols of a walker's frame have, and all that they count for: where it begins, only
    /// sync tones tell.
    let spreadNats: Float = 6
    /// The nats of two to four repeats of a token, found together.
    let repeatNats: Float = 10
    /// The same for a walker's, of which there are fewer hypotheses.
    let spreadRepeatNats: Float = 7
    /// The nats that the earlier frames of repeats must bring.
    let repeatGainNats: Float = 2
    /// The nats by which the sync tones of a walker's two frames favour themselves. Before this demand
    /// existed, and learning was faster, 60 s of clicks took `fsk-long` 30 s instead of 5.
    let spreadPairContrast: Float = 3
    /// The same for more frames.
    let spreadContrast: Float = -4.5

    // MARK: Candidates (``AcceptanceGate/fsk(frameCount:fitCount:contrast:)``)

    /// The rank that earns an exact look; noise has it every two seconds. See `lookNats`.
    let coarseNats: Float = 8
    /// The exact score that earns a search for phases; noise does not have it once in a minute. With 6 and 5
    /// for the two, looks took two thirds of listening, and of 300 frames at 3.5 dB 277 were heard instead of
    /// 273; with 9 and 10 263 are.
    let lookNats: Float = 8
    /// The most that the second pass of the tracker adds: if the score is less than `lookNats` by more than
    /// this, the pass is left out.
    let secondPassNats: Float = 2
    /// The contrast below which a candidate is out of step with the sounding frame.
    let lookContrast: Float = -10
    /// The addition to `lookContrast` for each nat of the score: in loud sound, a sync tone that the room
    /// took away costs more.
    let contrastPerNat: Float = -0.05
    /// The contrast that makes a candidate a sender of its own, within another's frame.
    let ownContrast: Float = 6
    /// The score of a candidate that is remembered for its repeats.
    let rememberedNats: Float = 2
    /// The nats from which two looks may hold the same tones.
    let agreementNats: Float = 3.5

    // MARK: Decodings (``FSKFrameReader``, ``FSKFrameDecoder``)

    /// The nats of the symbols beyond the shortest frame that are evidence for a longer token.
    let longerNats: Float = 3
    /// The score that earns a decoding by energies; noise has it once in a minute.
    let energyNats: Float = 9
    /// The nats of a phase search for one path that earn a decoding. Noise has 17 once in five searches.
    let phaseNats: Float = 17
    /// The rarity of the likeliest path below which other phases and settings are not tried. With this
    /// threshold all profiles take 5.5 s for a minute of talk instead of 11.6, and nothing more is lost.
    let triedRarity: Float = -8
    /// The evidence of a walker's first list below which nothing more is learned. No frame that was heard had
    /// less than −19; nothing in 20 min of noise had more than −31.
    let spreadEvidence: Float = -25
    /// The least nats that each frame counts for among repeats that were found together: one of them may be
    /// missing.
    let repeatFrameNats: Float = -8
    /// The nats of all of these frames, read exactly, with a share of their contrast.
    let repeatRank: Float = 4
    /// The share of contrast in `repeatRank`.
    let repeatContrastShare: Float = 0.75
    /// The contrast of all of these frames.
    let repeatContrast: Float = -10
    /// The addition to `repeatContrast` for each nat of their score, up to a contrast of 0: where sound comes
    /// and goes, chance finds many repeats.
    let repeatContrastPerNat: Float = 0.2
    /// The share of a frame's energy that its phases must align before they set its start and speed.
    let coherentShare: Float = 0.5

    /// The nats by which two pieces of a frame must be better evidence than one alone.
    let spliceNats: Float = 10
    /// The nats that each symbol costs that neither piece has.
    let lostSymbolNats: Float = 2

    // MARK: Frames (``AcceptanceGate/fsk(frameCount:fitCount:contrast:)``), a check holding

    /// The evidence of a path beyond a message's own bits; noise reaches 4 once in a hundred decodings.
    let frameNats: Float = 4
    /// The addition to `frameNats` for every other frame that was combined: each was the best of many.
    let otherFrameNats: Float = 2
    /// The addition to `frameNats` for every frame whose phases were fitted to the path: a fit has three more
    /// free numbers.
    let fitNats: Float = 5
    /// The rarity of a loud path without sync tones in its favour. Before this demand existed, 17 h of sounds
    /// without a token gave six wrong ones, of which two lack 21 and 24 nats; it costs 1 to 5 of 200 frames
    /// in rooms.
    let rarity: Float = -3
    /// The addition to `rarity` for each nat of contrast: frames have 5 to 23, other sounds a median of −20
    /// and 7 at most.
    let rarityPerContrast: Float = -0.5
    /// The evidence from which a path is loud.
    let loudNats: Float = 80
    /// The addition to `rarity` for every halving of the evidence below `loudNats`, twice at most: loud sound
    /// seldom has little.
    let rarityPerHalving: Float = -2
    /// The nats of a doubted word over all others of its list; the likeliest word of a frame at its threshold
    /// in a room has less in half the cases.
    let surePosteriorNats: Float = 19
}

extension AcceptanceGate {
    /// The gate of FSK frames.
    ///
    /// - Parameters:
    ///   - frameCount: the frames whose tones are added up.
    ///   - fitCount: the frames whose phases were fitted to a path.
    ///   - contrast: the frame's contrast, in nats.
    static func fsk(frameCount: Int = 1, fitCount: Int = 0, contrast: Float = 0) -> AcceptanceGate {
        let thresholds = Thresholds.fsk
        let others = Float(frameCount - 1) * thresholds.otherFrameNats
        let nats = thresholds.frameNats + others + Float(fitCount) * thresholds.fitNats
        let frame = Demand(
            nats: nats, rarity: thresholds.rarity + thresholds.rarityPerContrast * max(contrast, 0),
            rarityPerHalving: thresholds.rarityPerHalving, loudNats: thresholds.loudNats)
        return AcceptanceGate(
            look: Demand(
                pilotNats: thresholds.lookNats, contrast: thresholds.lookContrast,
                contrastPerPilotNat: thresholds.contrastPerNat),
            remember: Demand(pilotNats: thresholds.rememberedNats),
            deepLook: frame, quickLook: Demand(nats: nats), frame: frame,
            sure: Demand(posteriorNats: thresholds.surePosteriorNats))
    }
}
