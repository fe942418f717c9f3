import Nearby

/// Other devices of the project, by what they call themselves on air. It holds at most ``OfflineSettings/neighbourLimit``; each has at
/// most ``Assemblies/limit`` bulletins in the making and one that is known, each of at most ``Fragment/capacity`` bytes.
struct OfflineNeighbours: Sendable {
    struct Neighbour: Sendable {
        /// The newest heard, or, where publishers sign, the newest believed: what is older was recorded.
        var epoch: UInt64
        var generation: UInt16 = 0
        var lastHeard: Instant
        /// From one frame to the next, about.
        var interval = Duration.zero
        /// Bulletins that are not whole yet.
        var assemblies = Assemblies()
        /// What it publishes, and when that was believed.
        var known: Known?
        /// Who it is in the registry inside, and its tokens there.
        var device: RegistryState.DeviceID?
        var tokens: [Medium: Token] = [:]
        /// The registry inside knows what it publishes.
        var isTold = false
    }

    struct Known: Sendable, Equatable {
        var epoch: UInt64
        var generation: UInt16
        var entries: [Bulletin.Entry]
    }

    private let settings: OfflineSettings
    /// Whoever has the project's key can name any sender, epoch and generation; only a signature says that they are its publisher's.
    private let isSigned: Bool
    private var neighbours: [UInt32: Neighbour] = [:]

    init(_ settings: OfflineSettings, isSigned: Bool) {
        (self.settings, self.isSigned) = (settings, isSigned)
    }

    var count: Int { neighbours.count }

    subscript(sender: UInt32) -> Neighbour? {
        get { neighbours[sender] }
        set { neighbours[sender] = newValue }
    }

    /// Whether what was heard may be of now: nothing newer was heard of its sender.
    ///
    /// - Parameter generation: nil for a token, which does not say it.
    mutating func admit(_ sender: UInt32, epoch: UInt64, generation: UInt16?, at heard: Instant) -> Bool {
        guard var one = neighbours[sender] else {
            // Nobody is let go for somebody new: what was heard of them could be played again.
            guard neighbours.count < settings.neighbourLimit else { return false }
            // Nothing is certain of a publisher that signs: its clock may be an epoch behind the one that a forger names.
            neighbours[sender] = Neighbour(
                epoch: isSigned ? 0 : epoch, generation: isSigned ? 0 : generation ?? 0, lastHeard: heard)
            return true
        }
        guard epoch >= one.epoch, generation.map({ $0 >= one.generation }) ?? true else { return false }
        if !isSigned {
            if epoch > one.epoch || generation.map({ $0 > one.generation }) ?? false {
                one.assemblies = Assemblies()
            }
            (one.epoch, one.generation) = (epoch, generation ?? one.generation)
        }
        let gap = one.lastHeard.duration(to: heard)
        // A gap after which it was lost says nothing of its pace.
        if gap > .zero, gap <= patience(one) { one.interval = max(one.interval / 2, gap) }
        one.lastHeard = max(one.lastHeard, heard)
        neighbours[sender] = one
        return true
    }

    /// Takes a sender's whole bulletin, from somebody who is trusted.
    mutating func believe(_ bulletin: Known, of sender: UInt32) {
        guard var one = neighbours[sender] else { return }
        if one.known?.entries != bulletin.entries { one.isTold = false }
        one.known = bulletin
        (one.epoch, one.generation) = (bulletin.epoch, bulletin.generation)
        one.assemblies.forget(upTo: bulletin.generation, epoch: bulletin.epoch)
        neighbours[sender] = one
    }

    private func patience(_ one: Neighbour) -> Duration {
        min(max(settings.shortestLoss, one.interval * settings.missedGaps), settings.longestLoss)
    }

    /// Those of whom nothing that was recorded is of use any more.
    mutating func forget(before epoch: UInt64) {
        neighbours = neighbours.filter { $0.value.epoch >= epoch }
    }
}
