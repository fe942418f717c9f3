import Nearby

/// A medium that is silent while it is to be, and leaves time between its frames. What it hears goes on.
///
///     engine ─ assignment ─→ gate ─ without the broadcast, or slower ─→ medium
///            ←─ condition: broadcast held back while silent ─←
///
/// So the engine goes on as with a device that cannot sound: it keeps its token, tells the registry that it does not play, and
/// begins again by itself.
actor GatedMedium: MediumDriver {
    nonisolated let medium: Medium
    private let base: any MediumDriver
    private let stream: AsyncStream<MediumEvent>
    private let reader: AsyncStream<MediumEvent>.Continuation
    private var assignment = MediumAssignment.idle
    private var condition: MediumCondition?
    private(set) var isSilent: Bool
    private var pause: Duration
    /// Number of the last order that ``set(isSilent:pause:number:)`` has taken.
    private var lastOrder = 0
    /// The medium is told one thing at a time.
    private var turns = TaskQueue()

    /// - Parameter pause: between two frames, at least; zero: as the engine has it.
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

    /// Falls silent, or sounds again.
    ///
    /// - Parameter number: counts the orders; one that arrives after a later one is void.
    func set(isSilent: Bool, pause: Duration, number: Int) async {
        guard number > lastOrder else { return }
        lastOrder = number
        guard (isSilent, pause) != (self.isSilent, self.pause) else { return }
        (self.isSilent, self.pause) = (isSilent, pause)
        if let condition { reader.yield(.condition(gated(condition))) }
        await carryOutLatest()
    }

    /// Returns when the medium has carried out what holds now. What was decided before it was this one's turn is never carried out late.
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
    /// The longest pause is a quarter longer: boxes that begin together do not go on together.
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
