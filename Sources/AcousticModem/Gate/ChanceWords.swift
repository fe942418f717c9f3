/// The words of a trial that the gate would accept, if chance had passed their check.
///
/// A frame that is there, and whose data cannot be decoded, gives dozens of such words. Chance passes one in
/// 2²⁴ of them: a sender at the edge of its range would make ten to sixty wrong tokens a year. Therefore a
/// receiver adds them up (``ChanceBound``): once they are too many, words that are not far likelier than
/// others are reported only if a second frame holds the same token (``Probation``).
struct ChanceWords: Sendable {
    private var all: [UInt64] = []
    private var sure: [UInt64] = []

    /// The number of words.
    var count: Int { all.count }
    /// The number of those that would be reported even if too many were met.
    var sureCount: Int { sure.count }

    /// Adds a word of several decodings once.
    mutating func add(_ infoBits: some Collection<UInt8>, isSure: Bool) {
        // The first 64 info bits tell words apart.
        let word = infoBits.prefix(64).reduce(0) { $0 << 1 | UInt64($1) }
        if !all.contains(word) { all.append(word) }
        if isSure, !sure.contains(word) { sure.append(word) }
    }
}
