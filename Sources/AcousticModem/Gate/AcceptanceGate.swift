/// The gate of every family: it turns evidence into a verdict.
///
///     found     pilots                    ─▶ look · remember · reject
///     decoded   pilots and code           ─▶ deepLook · quickLook · reject
///     checked   pilots, code, rarity …    ─▶ certain · accept · remember · reject
///
/// Each family builds its gates from its ``Thresholds``: ``dsss(lookNats:)``,
/// ``fsk(frameCount:fitCount:contrast:)``, ``ggwave(parityByteCount:)``, ``uart(bitCount:)``.
struct AcceptanceGate: Sendable {
    /// The demands on a found candidate.
    var look = Demand()
    var remember = Demand.never
    /// The demands on a decoded one; deep looks ask for at least as much as quick ones.
    var deepLook = Demand.never
    var quickLook = Demand.never
    /// The demands on one whose check holds; only a frame is certain. One that is doubted must be sure, too,
    /// or it is remembered until another frame holds the same token.
    var frame = Demand()
    var sure = Demand()
    var certain = Demand.never

    func verdict(_ evidence: Evidence) -> Verdict {
        switch evidence.stage {
        case .found:
            if look.isMet(by: evidence) { return .look }
            // The pilots suffice, but other evidence is missing.
            if evidence.pilotNats >= look.pilotNats + evidence.missingNats { return .reject(.unlikely) }
            return remember.isMet(by: evidence) ? .remember : .reject(.faint)
        case .decoded:
            if deepLook.isMet(by: evidence) { return .deepLook }
            return quickLook.isMet(by: evidence) ? .quickLook : .reject(.unlikely)
        case .checked:
            guard frame.isMet(by: evidence) else { return .reject(.undecoded) }
            if evidence.isDoubted, !sure.isMet(by: evidence) { return .remember }
            return certain.isMet(by: evidence) ? .certain : .accept
        }
    }
}
