/// A block of starts whose candidates are being looked at, with its progress.
struct FSKBlock: Sendable {
    /// The start before which single frames have waited long enough for better ones.
    let dueStart: Double
    /// The number of the receiver's candidates, in order of rank, that are looked at with this block.
    let candidateCount: Int
    /// The index of the next candidate, and of the next repeats.
    var place = 0
    var repeatPlace = 0
    var hasReadRepeats = false
    /// The number of looks so far that were worth a decoding.
    var attempts = 0
    var repeatAttempts = 0
    /// The candidates that were looked at, and those that stay for a later block.
    var tried: [FSKCandidate] = []
    var waiting: [FSKCandidate] = []
    var waitingRepeats: [FSKRepeatSearch.Candidate] = []
}
