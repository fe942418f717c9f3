import Nearby

/// A medium that can be silenced, and that leaves time between its frames. It goes on receiving meanwhile.
///
///     engine ─ assignment ─→ gate ─ without the broadcast, or slower ─→ medium
///            ←─ condition: broadcast held back while silent ─←
///
/// The engine therefore behaves as with a device that cannot sound: it keeps its token, reports to the
/// registry that it does not play, and begins again by itself.
actor GatedMedium: MediumDriver {
    nonisolated let medium: Medium
    private let base: any MediumDriver
    private let stream: AsyncStream<MediumEvent>
    private let reader: AsyncStream<MediumEvent>.Continuation
    private var assignment = MediumAssignment.idle
    private var condition: MediumCondition?
    private(set) var isSilent: Bool
    private var pause: Duration
    /// The number of the last order that ``set(isSilent:pause:number:)`` accepted.
    private var lastOrder = 0
    /// The queue that lets the medium carry out one assignment at a time.
    private var turns = TaskQueue()

    /// - Parameter pause: the shortest pause between two frames; zero means the engine's own.
    init(_ base: any MediumDriver, isSilent: Bool, pause: Duration) {
        medium = base.medium
        (self.base, self.isSilent, self.pause) = (base, isSilent, pause)
        (stream, reader) = AsyncStream.makeStream()
    }

    deinit { reader.finish() }

    nonisolated func events() -> AsyncStream<MediumEvent> {
        let events = base.events()
        let reader = reader
        Task { [weak self] in
            for await event in events { await self?.pass(event) }
            reader.finish()
        }
        return stream
    }

    func carryOut(_ assignment: MediumAssignment) async {
        self.assignment = assignment
        await carryOutLatest()
    }

    /// Silences the medium, or lets it sound again.
    ///
    /// - Parameter number: the order's number. An order that arrives after a later one is ignored.
    func set(isSilent: Bool, pause: Duration, number: Int) async {
        guard number > lastOrder else { return }
        lastOrder = number
        guard (isSilent, pause) != (self.isSilent, self.pause) else { return }
        (self.isSilent, self.pause) = (isSilent, pause)
        if let condition { reader.yield(.condition(gated(condition))) }
        await carryOutLatest()
    }

    /// Returns when the medium has carried out the latest assignment. An assignment that became obsolete
    /// while it waited is never carried out.
    private func carryOutLatest() async {
        if !turns.takeIfFree() { await withCheckedContinuation { turns.enqueue($0) } }
        await base.carryOut(gated)
        turns.giveUp()
    }

    private func pass(_ event: MediumEvent) {
        guard case .condition(let condition) = event else {
            _ = reader.yield(event)
            return
        }
        self.condition = condition
        reader.yield(.condition(gated(condition)))
    }

    private func gated(_ condition: MediumCondition) -> MediumCondition {
        var condition = condition
        if isSilent, condition.broadcast == nil { condition.broadcast = .heldBack }
        return condition
    }

    private var gated: MediumAssignment {
        var assignment = assignment
        if isSilent { assignment.broadcast = nil }
        assignment.broadcast?.cadence.leave(atLeast: pause)
        return assignment
    }
}

extension MediumAssignment.Cadence {
    /// Makes pauses at least this long. The longest pause is a quarter longer, so that boxes that begin
    /// together do not stay in step.
    fileprivate mutating func leave(atLeast pause: Duration) {
        guard pause > .zero else { return }
        switch self {
        case .continuous: self = .bursts(listening: pause...(pause + pause / 4))
        case .bursts(let listening):
            let shortest = max(pause, listening.lowerBound)
            self = .bursts(listening: shortest...max(shortest + pause / 4, listening.upperBound))
        }
    }
}
