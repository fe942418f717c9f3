import Glibc

/// The least evidence that one verdict needs. The defaults ask for nothing.
struct Demand: Sendable {
    /// The least evidence of pilots alone, of pilots and code, and of the code alone.
    var pilotNats = -Float.infinity
    var nats = -Float.infinity
    var codeNats = -Float.infinity
    /// The greatest pilot evidence that counts towards ``nats``: for one look, and for several or where much
    /// is tried.
    var mostPilotNats: (one: Float, several: Float) = (.infinity, .infinity)
    /// The pilot evidence from which several looks count like one.
    var evidentPilotNats = Float.infinity
    /// The pilot evidence of a single frame that makes up for a lack of ``nats``.
    var waivingPilotNats = Float.infinity
    /// The least contrast, and its change for each nat of pilots.
    var contrast = -Float.infinity
    var contrastPerPilotNat: Float = 0
    /// The least rarity of a path that is as loud as ``loudNats``; each halving of its evidence adds
    /// `rarityPerHalving`, twice at most.
    var rarity = -Float.infinity
    var rarityPerHalving: Float = 0
    var loudNats: Float = 1
    /// The least margin over the next message, and over all other words of a list.
    var margin = -Float.infinity
    var posteriorNats = -Float.infinity

    /// The demand that nothing meets.
    static let never = Demand(nats: .infinity)

    func isMet(by evidence: Evidence) -> Bool {
        evidence.pilotNats >= pilotNats + evidence.missingNats && hasNats(evidence)
            && evidence.codeNats >= codeNats && evidence.margin >= margin
            && evidence.contrast >= contrast + contrastPerPilotNat * evidence.pilotNats
            && evidence.posteriorNats >= posteriorNats
            && evidence.rarity >= leastRarity(evidence)
    }

    private func hasNats(_ evidence: Evidence) -> Bool {
        if evidence.frameCount == 1, evidence.pilotNats >= waivingPilotNats { return true }
        let isEvident = evidence.lookCount == 1 || evidence.pilotNats >= evidentPilotNats
        let most = isEvident && !evidence.isStrained ? mostPilotNats.one : mostPilotNats.several
        return evidence.nats - max(0, evidence.pilotNats - most) >= nats
    }

    private func leastRarity(_ evidence: Evidence) -> Float {
        guard rarity > -.infinity else { return rarity }
        return rarity + rarityPerHalving * min(max(log2(loudNats / max(evidence.nats, 1)), 0), 2)
    }
}
