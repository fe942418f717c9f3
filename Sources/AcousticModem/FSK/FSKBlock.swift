/// A block of starts whose candidates are being looked at: how far that has come.
struct FSKBlock: Sendable {
    /// Single frames that begin before it have waited long enough for better ones.
    let dueStart: Double
    /// So many of the candidates that the receiver holds, in order of rank, are looked at with this block.
    let candidateCount: Int
    /// The next of these, and the next of the repeats.
    var place = 0
    var repeatPlace = 0
    var hasReadRepeats = false
    /// Looks so far that were worth a decoding.
    var attempts = 0
    var repeatAttempts = 0
    /// Candidates that were looked at, and those that stay for a later block.
    var tried: [FSKCandidate] = []
    var waiting: [FSKCandidate] = []
    var waitingRepeats: [FSKRepeatSearch.Candidate] = []
}
