/// Looks at one token, with their soft chips from the pilots. The soft chips are made once for each channel
/// hypothesis, since efforts and token classes differ only in their further processing.
struct Detections {
    let trial: Trial
    /// True if there are so many attempts that chance hits become likely.
    var isStrained = false
    /// The doubts of all efforts.
    var doubts = Doubts<DecodedFrame>()
    private var made: [(key: Key, soft: [Float])] = []

    private struct Key: Equatable {
        var look: Int
        var hypothesis: ChannelHypothesis
    }

    init(_ trial: Trial) { self.trial = trial }

    var looks: [Look] { trial.looks }

    /// The evidence for a word whose check holds, except its nats.
    var evidence: Evidence {
        var evidence = trial.evidence(.checked)
        (evidence.isStrained, evidence.isDoubted) = (isStrained, doubts.isDoubting)
        return evidence
    }

    /// Returns the soft chips of a look, `[segmentChipCount]`.
    ///
    /// - Parameter pilots: the pilots of the look's lane and segment. They are the same for every token
    ///   class.
    mutating func soft(
        _ look: Int, _ pilots: KnownChips, _ hypothesis: ChannelHypothesis,
        _ demodulator: inout DSSSDemodulator
    ) -> [Float] {
        let key = Key(look: look, hypothesis: hypothesis)
        if let soft = made.first(where: { $0.key == key })?.soft { return soft }
        let soft = demodulator.detect(looks[look].chips, known: pilots, hypothesis)
        made.append((key, soft))
        return soft
    }
}
