/// The thresholds of the DSSS receivers, in the order in which sound meets them.
///
/// A *gate* is a sum over clusters of their power, in deviations of noise; nats are log likelihood ratios
/// over noise.
struct DSSSThresholds: Sendable {
    // MARK: Energy of a frame (``FrameEnergy``), in deviations of steady noise

    /// The energy that one frame in a hundred lacks at its threshold, for a single segment. A smaller
    /// allowance leaves fewer starts to search; blocks of 100 ms with a coarser weight lost as many frames.
    let singleAllowanceDeviations = 2.3
    /// The same for several segments, for one frame in 300. Their pilots stand out less each, and their long
    /// sum leaves less noise.
    let severalAllowanceDeviations = 2.75
    /// Starts with less than this above the least energy hold little energy: two of three starts of noise
    /// that are searched.
    let littleEnergyDeviations: Float = 0.7
    /// Starts with more than this above the least energy hold much energy: one in eighty starts of noise, and
    /// most frames.
    let muchEnergyDeviations: Float = 1.95
    /// If starts lie below the noise by more than this, the noise has changed, and all are searched. Chosen,
    /// not measured.
    let quietDeviations: Float = -3.3
    /// The decibels under its threshold at which a frame is still sought where energy is no measure, if no
    /// part of its time is too quiet for it. At 0.8 dB under the threshold two of three frames are heard.
    let boundAllowanceDecibels = 1.2
    /// The Eb/N0 from which a frame is left out of the noise about it: any other frame of its sender is as
    /// evident. Chosen, not measured.
    let strongFrameDecibels: Float = 20
    /// The decibels below a single frame's threshold at which pairs must be heard. With 1.2, of 2000 pairs at
    /// 0.2 dB 32 more are lost, and listening takes 7 % less.
    let repeatDecibels = 1.5
    /// The decibels below it at which four repeats must be heard. Of 400 at −2 dB 363 are; with 3.0 listening
    /// takes 15 % less.
    let fourRepeatDecibels = 4.5
    /// The decibels below one channel's threshold at which two channels together must hear a frame.
    let twoChannelDecibels = 0.9
    /// The decibels below it at which three channels must.
    let threeChannelDecibels = 2.4
    /// The decibels below it at which four channels must.
    let fourChannelDecibels = 3.6
    /// The ratio of noise powers beyond which two channels are not heard jointly. Chosen, not measured.
    let channelNoiseRatio: Float = 10
    /// The coherence of two channels' sound, squared, from which they count as one: the same sound twice has
    /// 1, independent noise nearly 0. Chosen, not measured.
    let likeChannelCoherence: Float = 0.25
    /// The additional energy that rooms without a path that stands out need over white noise; below it no
    /// echo tails are sought.
    let roomDecibels = 2.5
    /// The spread of a sound's parts beyond which it varied too much to be a measure of noise; noise reaches
    /// it once in two hundred times.
    let steadySpread: Float = 33
    /// The power over the recent minimum that begins a loud passage, in which frames are reported as they
    /// end. Noise reaches 1.5.
    let loudPowerRatio: Float = 2
    /// The rise of power at the beginning of a frame that is reported as it ends; a frame that stands 3 dB
    /// over the noise doubles the power.
    let promptRise: Float = 1.6
    /// The least power of such a frame over that of all else in its time.
    let promptShare: Float = 0.7
    /// The power over the recent minimum at which fast frames are sought, in bins that noise alone never
    /// reaches.
    let strongPowerRatio: Float = 4

    // MARK: Gates (``ClusterGate``, ``PromptSearch``, ``EchoTailSearch``), in deviations of noise

    /// The gate of a single frame of many clusters: 0.5 % of noise passes. Twice as many find one frame in
    /// 300 more.
    let manyClusterGate: Float = 2.6
    /// The gate of a single frame of few clusters: 1 % of noise passes. Cells of many clusters cost more.
    let fewClusterGate: Float = 2.33
    /// The addition to a gate where there is little energy. It loses 5 of 2000 frames at their threshold; for
    /// pairs it would lose 15 of 1000.
    let littleEnergyGate: Float = 0.8
    /// The gate where part of a frame's time is too quiet for it: it finds frames that an automatic gain or a
    /// noise gate in the microphone makes louder and quieter.
    let coveredGate: Float = 4.2
    /// The addition to a gate where there is much energy, so that faint pilots pass.
    let muchEnergyGate: Float = -0.4
    /// The gate of `dsss-far` where there may be rooms. With 1.8, 197 of 200 walkers at 11.5 dB are heard
    /// instead of 195, for half as much work again.
    let burstRoomGate: Float = 2.1
    /// The gate of `dsss-far` elsewhere, where more cells would not be worth their cost.
    let burstGate: Float = 2.5
    /// The gate of two repeats, which gather more energy before they decode. Of 1000 pairs at 0.2 dB 884 are
    /// heard, and 892 at 2.2, which takes a sixth longer.
    let repeatGate: Float = 2.5
    /// The gate of two repeats of few clusters, whose sums in noise stray further. At 2.5 a simulated phone
    /// beside a television found no box in 6 s, where here it does in 3.4.
    let fewRepeatGate: Float = 2.75
    /// The gate of four repeats. At 2.75 listening takes 11 % less, and 343 instead of 363 of 400 at −2 dB
    /// are heard.
    let fourRepeatGate: Float = 2.5
    /// The gate of the bins for fast frames, as a multiple of the mean of noise.
    let strongGate: Float = 3.5
    /// The gate of a frame that is reported as it ends; noise passes once in 75 thousand. At 5, 2 of 100
    /// phones 3 m from a box were heard a second later.
    let promptGate: Float = 4.2
    /// The products of neighbouring clusters that earn a coherent look for an echo tail. 2.8 hears 906, 893
    /// and 916 frames of a thousand in three rooms, 2.3 with eight looks 910, 914 and 940, 2.0 with ten looks
    /// 911, 919 and 944.
    let tailProductGate: Float = 2.3
    /// The same where energy is no measure, and all starts are searched.
    let unmeasuredTailProductGate: Float = 2.8
    /// The coherent sum of an echo tail that earns refinement. Chosen, not measured.
    let tailSum: Float = 5

    // MARK: Cells of a search (``Acquisition``, ``CandidateRefiner``)

    /// The nats that a cell of two repeats needs to be refined; a single frame's cell needs the nats that
    /// noise reaches once a second.
    let repeatCellNats: Float = 13
    /// The least share of the greatest sum of all clusters: a frame at its threshold reaches 0.7, a strong
    /// one 1; one or two clusters of another frame, met by chance, stay below.
    let clusterShare: Float = 0.3
    /// The same for a segment of a combination, which reaches 0.5.
    let repeatClusterShare: Float = 0.25
    /// The most that one segment of two may hold of their power; equal shares are ½.
    let pairSegmentShare: Float = 0.88
    /// The same for three segments; equal shares are ⅓.
    let tripleSegmentShare: Float = 0.78
    /// The most that one segment of four may hold; equal shares are ¼. Chosen, not measured.
    let quadrupleSegmentShare: Float = 0.68
    /// The nats of a cell that counts as an echo. Chosen, not measured.
    let echoNats: Float = 5
    /// The nats of a path that echoes can support. Chosen, not measured.
    let supportedNats: Float = 6.5
    /// The nats over which a room's reference path is sought at every earlier delay.
    let sweptNats: Float = 13
    /// The nats from which a cell is tested for being another profile's.
    let doubtedNats: Float = 13
    /// The share of the clusters' power beyond noise: a frame reaches 0.33 even if its phase wanders, a
    /// `dsss-far` frame met by `dsss` 0.15. Without this threshold a strong `dsss-far` frame costs `dsss` 395
    /// list decodings instead of 135.
    let foreignShare: Float = 0.24
    /// The nats of a candidate whose reference path is followed to earlier ones.
    let followedNats: Float = 9
    /// The nats that a move of the reference path must gain.
    let moveNats: Float = 0.5
    /// The nats by which a cell's lone sum counts less than that of a delay profile.
    let loneCellNats: Float = 3.2

    // MARK: Candidates (``AcceptanceGate/dsss``), nats of pilots

    /// The allowance of a glance: it needs the logarithm of the number of hypotheses in a second, less this.
    /// Noise thus earns a few glances a second in every profile.
    let glanceAllowanceNats: Float = 2.87
    /// The addition for many clusters where there is no energy for a room. It loses 3 of 2000 `dsss` frames
    /// at their threshold. Two nats more for few clusters' pilots would lose one frame in twenty.
    let directNats: Float = 1
    /// The addition where there is little energy.
    let littleEnergyNats: Float = 2
    /// The addition where energy is no measure: there all starts are searched.
    let unmeasuredNats: Float = 1
    /// The addition where part of a frame's time is too quiet for it. Chosen, not measured.
    let coveredNats: Float = 4
    /// The addition where there is much energy.
    let muchEnergyNats: Float = -3
    /// The nats of a glance at two repeats, which decode far below a single frame's threshold.
    let repeatNats: Float = 13.5
    /// The nats that looks at different candidates need beyond a glance, together, to be decoded as one.
    let combinedNats: Float = 3
    /// The nats that noise reaches once in some minutes: they are worth every effort, regardless of a
    /// glance's result for rooms.
    let prominentNats: Float = 19
    /// The greatest power of a third of the pilots, relative to the strongest third, at which it counts as
    /// missing: another lane is then tried, too.
    let missingThirdShare: Float = 0.1

    // MARK: Decodings (``AcceptanceGate/dsss``), nats of pilots and code, or of the code alone

    /// The evidence of a glance that earns a quick decoding.
    let quickNats: Float = 6
    /// The code's part of `quickNats`: noise has some −8, a frame that needs the effort has hardly less, side
    /// lobes and music have −20.
    let quickCodeNats: Float = -16
    /// The evidence that earns a deep decoding. Deep decoding of all candidates that a glance leaves takes
    /// fifteen times as long, for one frame in a hundred.
    let deepNats: Float = 10.5
    /// The code's part of `deepNats`: frames that a deep decoding rescues have −10 and more.
    let deepCodeNats: Float = -13
    /// The evidence below which decided chips are more often wrong than right, so that iterating does not
    /// help.
    let iteratedNats: Float = 10
    /// The evidence that shows a frame, even if its check fails: it is worth a long list.
    let evidentNats: Float = 13
    /// The evidence of a candidate that did not decode from which its repeats are looked for. Pairs of noise
    /// have some 6. At 3 listening takes 6 % longer.
    let chainedNats: Float = 8
    /// The pilots' nats of a repeat that is added to others. 1 and 3.5 hear as many.
    let chainLinkNats: Float = 2
    /// The code's nats of the best word of a long list. The best word of noise has −8. Without this threshold
    /// one wrong token came in 1600 frames of a walker; with it one frame in 200 is lost.
    let longListCodeNats: Float = -5.5
    /// The pilots below which a token of 9 to 16 bytes could not be decoded anyway.
    let mediumPilotNats: Float = 24
    /// The same for tokens of 17 to 32 bytes.
    let longPilotNats: Float = 40

    // MARK: Frames taken out of the sound (``FrameCanceller``)

    /// The change of a frame's paths from which it is estimated in pieces; see ``PathFit/change(of:in:)``.
    let movingChange: Float = 4

    // MARK: Known tokens (``TokenRecogniser``)

    /// The evidence of a frame that was expected, and that of its data chips alone, as its pilots may be
    /// another token's.
    let recognitionNats: Float = 16
    let recognitionDataNats: Float = 8

    // MARK: Frames (``AcceptanceGate/dsss``), a check holding

    /// The evidence of a frame. 20 h of noise and 10 000 frames about the threshold: `Fixtures/curves`.
    let frameNats: Float = 6
    /// The most nats of pilots that count for it: another frame's chips may look like strong pilots, but then
    /// the code has no evidence.
    let mostPilotNats: Float = 14
    /// The same for several looks, or where much is tried: chance must be kept out before faint frames are
    /// let in.
    let mostSeveralPilotNats: Float = 6
    /// The nats of several looks' pilots from which they count for as much as one look's: noise does not
    /// reach them. Of 300 pairs at 0.3 dB 242 are heard with it, 236 without.
    let evidentPilotNats: Float = 22
    /// The code's nats that leave no doubt of a frame, so that it is reported at once: no other reading of it
    /// comes near.
    let certainCodeNats: Float = 40
    /// The nats that each frame of a combination needs by itself to count as heard; a segment without the
    /// word in it reaches them once in 10⁵.
    let matchNats: Float = 10

    // MARK: Frames that are doubted (``ChanceBound``)

    /// The code's nats of a word that is reported although it is doubted.
    let sureCodeNats: Float = 0
    /// The nats of such a word over all others of its list.
    let surePosteriorNats: Float = 15
}

extension AcceptanceGate {
    /// The gate of DSSS frames.
    ///
    /// - Parameter lookNats: the pilot evidence that earns a glance.
    static func dsss(lookNats: Float = -.infinity) -> AcceptanceGate {
        let thresholds = Thresholds.dsss
        let most = (one: thresholds.mostPilotNats, several: thresholds.mostSeveralPilotNats)
        return AcceptanceGate(
            look: Demand(pilotNats: lookNats),
            deepLook: Demand(
                nats: thresholds.deepNats, codeNats: thresholds.deepCodeNats,
                waivingPilotNats: thresholds.prominentNats),
            quickLook: Demand(
                nats: thresholds.quickNats, codeNats: thresholds.quickCodeNats,
                waivingPilotNats: thresholds.prominentNats),
            frame: Demand(
                nats: thresholds.frameNats, mostPilotNats: most,
                evidentPilotNats: thresholds.evidentPilotNats),
            sure: Demand(codeNats: thresholds.sureCodeNats, posteriorNats: thresholds.surePosteriorNats),
            certain: Demand(codeNats: thresholds.certainCodeNats))
    }
}

extension DSSSThresholds {
    /// Returns the decibels below a single frame's threshold on one channel at which the frames of a plan
    /// must be heard.
    func severalDecibels(_ plan: BurstPlan) -> Double {
        let channels =
            switch plan.channelCount {
            case 1: 0.0
            case 2: twoChannelDecibels
            case 3: threeChannelDecibels
            default: fourChannelDecibels
            }
        guard plan.combinesRepeats else { return channels }
        return channels + (plan.segmentCount > 2 ? fourRepeatDecibels : repeatDecibels)
    }
}
