import Synchronization

/// The right of this instance to serve one project. An instance that holds the lease may answer from memory.
/// An instance whose lease is late may not, but has lost nothing yet. An instance that has lost its lease
/// must forget the project.
///
///     held ──time is up──→ late ──renewed──→ held
///       └────another has it─┴───────────────→ lost
package final class Lease: Sendable {
    /// The validity of a lease.
    package enum Standing: Sendable {
        /// A held lease has not expired. A late lease has expired but may be renewed. A lost lease belongs to
        /// another instance for good.
        case held, late, lost
    }

    /// The project that may be served under this lease.
    package let project: ProjectID
    /// The number of this acquisition. It differs each time that the lease is taken, so that work begun under
    /// one lease is not finished under the next.
    package let epoch: Int64
    /// The time at which the lease expires, by this machine's clock; `nil` if it never expires.
    private let end: Mutex<ContinuousClock.Instant?>
    private let isLost = Atomic(false)
    /// The callers of ``settled()``.
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    /// - Parameter end: the time at which the lease expires; `nil` if it never expires.
    package init(_ project: ProjectID, epoch: Int64, until end: ContinuousClock.Instant?) {
        (self.project, self.epoch) = (project, epoch)
        self.end = Mutex(end)
    }

    /// The current validity, which must be checked again before each answer.
    package var standing: Standing {
        if isLost.load(ordering: .acquiring) { return .lost }
        return end.withLock { $0.map { $0 > .now } ?? true } ? .held : .late
    }

    /// The time until the lease expires, zero if it has; `nil` if it never expires.
    var remaining: Duration? { end.withLock { $0.map { max(.zero, ContinuousClock.now.duration(to: $0)) } } }

    /// Extends the lease. An earlier end has no effect, because time that was granted stays granted.
    package func renew(until end: ContinuousClock.Instant) {
        self.end.withLock { $0 = $0.map { max($0, end) } }
        wake()
    }

    /// Marks the lease as lost to another instance. A renewal does not restore it.
    package func lose() {
        isLost.store(true, ordering: .releasing)
        wake()
    }

    /// Returns when the lease is not late any more.
    package func settled() async {
        await withCheckedContinuation { continuation in
            // A renewal after this check finds the continuation in the list.
            let isLate = waiting.withLock {
                guard standing == .late else { return false }
                $0.append(continuation)
                return true
            }
            if !isLate { continuation.resume() }
        }
    }

    private func wake() {
        guard standing != .late else { return }
        let woken = waiting.withLock { list in
            defer { list = [] }
            return list
        }
        for one in woken { one.resume() }
    }
}

/// A lease provider, which decides which one instance serves each project.
package protocol LeaseProvider: Sendable {
    /// True if there can be no other instance.
    var isSole: Bool { get }
    /// A secret that only instances know. An instance that presents it is trusted to act for the cluster;
    /// `nil` if there can be no other instance.
    var clusterSecret: String? { get }
    /// The events that change leases without a request from this instance. Only one task may read the stream.
    var events: AsyncStream<LeaseEvent> { get }
    /// Announces the address at which the other instances reach this one. Before this call, the instance
    /// takes no lease.
    func announce(_ address: String)
    /// Takes the project if no instance serves it, and returns the instance that serves it.
    func place(of project: ProjectID) async throws(StoreError) -> ProjectPlace
    /// Notes that the instance that served this project does not answer. The next call of ``place(of:)``
    /// looks again.
    func forget(_ project: ProjectID)
    /// Gives all leases back.
    func leave() async
}

/// The instance that serves a project.
package enum ProjectPlace: Sendable {
    /// This instance, under this lease.
    case here(Lease)
    /// Another instance, with its address in the form `http://host:port`.
    case there(String)
}

/// A change of a lease that this instance did not cause.
package enum LeaseEvent: Sendable {
    /// The previous holder is gone, and this instance has the lease now.
    case taken(Lease)
    /// Another instance has the lease. This instance's memory of the project is worthless from now on.
    case lost(Lease)
}

/// The lease provider of a single instance with its own store. Every project is served here.
package final class LocalLease: LeaseProvider {
    package let isSole = true
    package let clusterSecret: String? = nil
    package let events = AsyncStream<LeaseEvent> { $0.finish() }
    /// An object that keeps other processes out. It is released when this instance leaves.
    private let lock: Mutex<(any Sendable)?>

    /// - Parameter lock: an object that keeps other processes out and is released when this instance leaves;
    ///   `nil` if nothing keeps them out.
    package init(lock: (any Sendable)? = nil) { self.lock = Mutex(lock) }

    package func announce(_ address: String) {}
    package func place(of project: ProjectID) async throws(StoreError) -> ProjectPlace {
        .here(Lease(project, epoch: 0, until: nil))
    }
    package func forget(_ project: ProjectID) {}
    package func leave() async { lock.withLock { $0 = nil } }
}
