import Synchronization

/// The right of this instance to serve one project. Whoever holds it may answer from memory; whoever is late may not, but has
/// lost nothing yet; whoever has lost it must forget the project.
///
///     held ──time is up──→ late ──renewed──→ held
///       └────another has it─┴───────────────→ lost
public final class Lease: Sendable {
    /// How far it holds.
    public enum Standing: Sendable {
        /// Its time is not over; its time is over, and it may be renewed; another instance has it, for good.
        case held, late, lost
    }

    /// What may be served under it.
    public let project: ProjectID
    /// Another one each time that it is taken: what was begun under one is not finished under the next.
    public let epoch: Int64
    /// By this machine's clock; nil: for ever.
    private let end: Mutex<ContinuousClock.Instant?>
    private let isLost = Atomic(false)

    /// - Parameter end: nil: for ever.
    public init(_ project: ProjectID, epoch: Int64, until end: ContinuousClock.Instant?) {
        (self.project, self.epoch) = (project, epoch)
        self.end = Mutex(end)
    }

    /// As it is now: to be looked at again before each answer.
    public var standing: Standing {
        if isLost.load(ordering: .acquiring) { return .lost }
        return end.withLock { $0.map { $0 > .now } ?? true } ? .held : .late
    }

    /// Never shortens it: what was once granted holds.
    public func renew(until end: ContinuousClock.Instant) {
        self.end.withLock { $0 = $0.map { max($0, end) } }
    }

    /// Another instance has it. Renewing it does not bring it back.
    public func lose() { isLost.store(true, ordering: .releasing) }
}

/// Who serves which project: one instance at a time.
public protocol LeaseProvider: Sendable {
    /// Whether there can be no other instance.
    var isSole: Bool { get }
    /// Of instances alone: whoever knows it speaks for one.
    var clusterSecret: String? { get }
    /// What happens to leases without being asked for. For one reader.
    var events: AsyncStream<LeaseEvent> { get }
    /// Where the other instances reach this one. Before, it takes no lease.
    func announce(_ address: String)
    /// Takes the project if nobody serves it.
    func place(of project: ProjectID) async throws(StoreError) -> ProjectPlace
    /// Whoever served that project does not answer: next time, look again.
    func forget(_ project: ProjectID)
    /// Gives all leases back.
    func leave() async
}

/// Which instance serves a project.
public enum ProjectPlace: Sendable {
    /// This one, under this lease.
    case here(Lease)
    /// `http://host:port` of the instance that serves it.
    case there(String)
}

/// What becomes of a lease without this instance's doing.
public enum LeaseEvent: Sendable {
    /// Its holder is gone: it is this instance's now.
    case taken(Lease)
    /// Another instance has it: what is in memory of that project is worth nothing any more.
    case lost(Lease)
}

/// One instance, one store: everything is here.
public final class LocalLease: LeaseProvider {
    public let isSole = true
    public let clusterSecret: String? = nil
    public let events = AsyncStream<LeaseEvent> { $0.finish() }
    /// Given up with the last lease: what keeps others out.
    private let lock: Mutex<(any Sendable)?>

    /// - Parameter lock: what keeps other processes out, let go when this one leaves; nil: nothing does.
    public init(lock: (any Sendable)? = nil) { self.lock = Mutex(lock) }

    public func announce(_ address: String) {}
    public func place(of project: ProjectID) async throws(StoreError) -> ProjectPlace {
        .here(Lease(project, epoch: 0, until: nil))
    }
    public func forget(_ project: ProjectID) {}
    public func leave() async { lock.withLock { $0 = nil } }
}
