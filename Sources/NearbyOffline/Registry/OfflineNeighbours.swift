import Nearby

/// The other devices of the project, by their sender ids. It holds at most ``OfflineSettings/neighbourLimit``
/// devices. Each has at most ``Assemblies/limit`` incomplete bulletins and one that is known, each of at most
/// ``Fragment/capacity`` bytes.
struct OfflineNeighbours: Sendable {
    struct Neighbour: Sendable {
        /// The newest epoch that was heard or, if publishers sign, the newest one that was verified. Anything
        /// older is a recording.
        var epoch: UInt64
        var generation: UInt16 = 0
        var lastHeard: Instant
        /// The approximate time from one frame to the next.
        var interval = Duration.zero
        /// The bulletins that are incomplete.
        var assemblies = Assemblies()
        /// The bulletin of the device, with its epoch and generation, or `nil` if none is known yet.
        var known: Known?
        /// The device in the inner registry, and its tokens there.
        var device: RegistryState.DeviceID?
        var tokens: [Medium: Token] = [:]
        /// True if the inner registry knows the publications of the device.
        var isReported = false
    }

    struct Known: Sendable, Equatable {
        var epoch: UInt64
        var generation: UInt16
        var entries: [Bulletin.Entry]
    }

    private let settings: OfflineSettings
    /// True if publishers sign. A holder of the project's key can name any sender, epoch and generation; only
    /// a signature proves that they are the publisher's.
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

    /// Returns true if something that was heard may be current, because nothing newer was heard of its
    /// sender.
    ///
    /// - Parameter generation: the generation of a frame, or `nil` for a token, which does not contain it.
    mutating func admit(_ sender: UInt32, epoch: UInt64, generation: UInt16?, at heard: Instant) -> Bool {
        guard var one = neighbours[sender] else {
            // No device is removed for a new one: a recording of it could be played again.
            guard neighbours.count < settings.neighbourLimit else { return false }
            // Nothing is certain about a publisher that signs: its clock may be an epoch behind the one that
            // a forger names.
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
        // A gap after which the device was lost does not show its pace.
        if gap > .zero, gap <= patience(one) { one.interval = max(one.interval / 2, gap) }
        one.lastHeard = max(one.lastHeard, heard)
        neighbours[sender] = one
        return true
    }

    /// Takes a complete bulletin of a sender, from a trusted publisher.
    mutating func believe(_ bulletin: Known, of sender: UInt32) {
        guard var one = neighbours[sender] else { return }
        if one.known?.entries != bulletin.entries { one.isReported = false }
        one.known = bulletin
        (one.epoch, one.generation) = (bulletin.epoch, bulletin.generation)
        one.assemblies.forget(upTo: bulletin.generation, epoch: bulletin.epoch)
        neighbours[sender] = one
    }

    private func patience(_ one: Neighbour) -> Duration {
        min(max(settings.shortestLoss, one.interval * settings.missedGaps), settings.longestLoss)
    }

    /// Removes the devices of which a recording is no longer of use.
    mutating func forget(before epoch: UInt64) {
        neighbours = neighbours.filter { $0.value.epoch >= epoch }
    }
}
