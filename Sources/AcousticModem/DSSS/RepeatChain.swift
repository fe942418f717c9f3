import Signal

/// A candidate that did not decode although its evidence shows a frame, with the repeats of it that are
/// looked for a standard repeat period before and after it.
///
///     frames   −3  −2  −1   found   +1  +2  +3       under the candidate's lane and Doppler
///     looks         L   L    L L     L               those whose pilots are likelier than noise
struct RepeatChain: Sendable {
    /// True if the repeats are looked for. The code for it would be much of what a page loads.
    static var isOffered: Bool { FrameCanceller.isOffered }
    /// The number of periods before the first frame found, and after the last one, that are looked at.
    static let reach = 3
    /// The most frames that are decoded together.
    private static let mostFrames = 8

    private(set) var trial: Trial
    /// The evidence of the last decoding.
    var evidence: Float
    /// The starts that have not been looked at, those before the frames found first, in baseband samples.
    private(set) var starts: [Double]

    /// - Parameter periodSamples: the repeat period in baseband samples, as a sender at rest has it.
    init(_ trial: Trial, evidence: Float, periodSamples: Double) {
        (self.trial, self.evidence) = (trial, evidence)
        let period = periodSamples / (1 + trial.candidate.timeScale)
        let found = trial.looks.map { $0.candidate.start }
        let (first, last) = (found.min()!, found.max()!)
        starts =
            (1...RepeatChain.reach).map { first - Double($0) * period }
            + (1...RepeatChain.reach).map { last + Double($0) * period }
    }

    /// True if another frame may be added.
    var isOpen: Bool { !starts.isEmpty && trial.frameCount < RepeatChain.mostFrames }

    /// Returns the next start that has not been looked at, if its frame ends before `end`.
    mutating func takeStart(reach: Int, before end: SamplePosition) -> Double? {
        guard isOpen, SamplePosition(starts[0]) + reach <= end else { return nil }
        return starts.removeFirst()
    }

    /// Adds the channels' looks at a further frame.
    mutating func add(_ looks: [Look]) {
        trial.looks += looks
        trial.frameCount += 1
        trial.pilotNats += looks.reduce(0) { $0 + $1.candidate.score }
    }

    /// Returns true if both chains hold the same frame.
    func shares(frameOf other: RepeatChain, within samples: Double) -> Bool {
        trial.looks.contains { own in
            other.trial.looks.contains {
                own.candidate.lane == $0.candidate.lane
                    && abs(own.candidate.start - $0.candidate.start) < samples
            }
        }
    }
}
