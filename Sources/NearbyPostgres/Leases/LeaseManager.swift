import NearbyService

/// The leases that an instance knows: its own, and those of other instances. A value type without a database.
struct LeaseManager: Sendable {
    private(set) var held: [ProjectID: Lease] = [:]
    private var others: [ProjectID: (address: String, epoch: Int64)] = [:]

    /// Returns the instance that serves a project; `nil` if it is not known.
    func place(of project: ProjectID) -> ProjectPlace? {
        if let lease = held[project], lease.standing != .lost { return .here(lease) }
        return others[project].map { .there($0.address) }
    }

    var list: [LeaseTable.Held] { held.values.map { .init(project: $0.project, epoch: $0.epoch) } }

    /// Records a lease of this instance. A known epoch renews the existing lease. A new epoch replaces the
    /// lease, and the previous one is lost.
    mutating func hold(
        _ project: ProjectID, epoch: Int64, until end: ContinuousClock.Instant
    ) -> (lease: Lease, lost: Lease?) {
        if let lease = held[project], lease.epoch == epoch {
            lease.renew(until: end)
            return (lease, nil)
        }
        let before = held[project]
        before?.lose()
        let lease = Lease(project, epoch: epoch, until: end)
        held[project] = lease
        others[project] = nil
        return (lease, before)
    }

    /// Renews the leases that the database has kept, and returns those that are lost.
    ///
    /// - Parameter asked: the leases of the renewal request. Leases that were added since are left alone.
    mutating func renew(
        _ asked: [LeaseTable.Held], kept: Set<Int64>, until end: ContinuousClock.Instant
    ) -> [Lease] {
        asked.compactMap { one in
            guard let lease = held[one.project], lease.epoch == one.epoch else { return nil }
            if kept.contains(one.epoch) {
                lease.renew(until: end)
                return nil
            }
            return lose(lease)
        }
    }

    /// Processes a notice. Returns this instance's lease if the notice ends it.
    mutating func note(_ notice: LeaseNotice, self instance: Int64) -> Lease? {
        guard notice.instance != instance else { return nil }
        if notice.instance == nil {
            if let other = others[notice.project], other.epoch <= notice.epoch {
                others[notice.project] = nil
            }
            return nil
        }
        if let lease = held[notice.project] {
            guard lease.epoch < notice.epoch else { return nil }
            learn(notice.project, notice.address, notice.epoch)
            return lose(lease)
        }
        learn(notice.project, notice.address, notice.epoch)
        return nil
    }

    mutating func learn(_ project: ProjectID, _ address: String, _ epoch: Int64) {
        if let known = others[project], known.epoch > epoch { return }
        others[project] = (address, epoch)
    }

    mutating func forget(_ project: ProjectID) { others[project] = nil }
    /// Forgets the leases of other instances, because notices may have been missed.
    mutating func forgetOthers() { others = [:] }

    mutating func giveUp() -> [LeaseTable.Held] {
        defer { held = [:] }
        for lease in held.values { lease.lose() }
        return list
    }

    private mutating func lose(_ lease: Lease) -> Lease {
        lease.lose()
        held[lease.project] = nil
        return lease
    }
}
