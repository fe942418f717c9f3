/// The decision of an ``AcceptanceGate`` about a candidate.
enum Verdict: Sendable, Hashable {
    /// It is a frame, and no other reading of the sound comes near.
    case certain
    /// It is a frame.
    case accept
    /// It is worth a decoding with all effort.
    case deepLook
    /// It is worth a decoding with little effort.
    case quickLook
    /// The search found enough for its samples to be looked at.
    case look
    /// It is worth remembering, for repeats of its frame or of its token.
    case remember
    /// It is given up.
    case reject(CandidateTrace.Outcome)

    /// True if it is a frame.
    var isFrame: Bool { self == .certain || self == .accept }

    /// True if another decoding is worth its effort.
    var isWorthEffort: Bool { self == .deepLook || self == .quickLook }
}
