/// A frame that was decoded.
protocol TokenFrame: Sendable {
    var token: [UInt8] { get }
}

/// The doubts about one trial; see ``ChanceBound``.
struct Doubts<Frame: TokenFrame>: Sendable {
    /// True if a frame must be likelier by far than all else that was decoded with it.
    var isDoubting = false
    /// The words of all decodings that only their check kept out.
    var words = ChanceWords()
    /// The frames that were decoded, and are not likely enough.
    var frames: [Frame] = []

    /// Counts a word whose check fails, if the gate would accept it otherwise.
    mutating func count(
        _ infoBits: some Collection<UInt8>, _ evidence: Evidence, _ gate: AcceptanceGate
    ) {
        guard gate.frame.isMet(by: evidence) else { return }
        words.add(infoBits, isSure: gate.sure.isMet(by: evidence))
    }
}
