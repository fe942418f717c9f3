import Nearby
import NearbyService
import Synchronization

/// Leases in the database. Each instance renews its leases every second and takes over those of instances
/// that are gone. The database notifies all instances of each change.
///
///     every second:   renew own ─→ take over expired leases ─→ listen
package final class PostgresLease: LeaseProvider {
    private static let tick = Duration.seconds(1)
    /// The pause between attempts while the database is unreachable.
    private static let pause = Duration.milliseconds(200)
    /// The number of attempts of one request to find a project's instance. An attempt fails if the lease
    /// expires between its two queries, which happens at most once in the three seconds of a lease.
    private static let claims = 3

    package let isSole = false
    package let clusterSecret: String?
    package let events: AsyncStream<LeaseEvent>

    private let table: LeaseTable
    private let tell: AsyncStream<LeaseEvent>.Continuation
    private let instance: Int64
    private let state = Mutex(State())

    private struct State: Sendable {
        var manager = LeaseManager()
        var address: String?
        /// The running claims. Concurrent requests for a project share one claim.
        var claims: [ProjectID: Task<ProjectPlace, any Error>] = [:]
        var loop: Task<Void, Never>?
        var isOver = false
    }

    init(_ table: LeaseTable, clusterSecret: String) {
        (self.table, self.clusterSecret) = (table, clusterSecret)
        instance = .random(in: 1...Int64.max)
        (events, tell) = AsyncStream.makeStream()
    }

    deinit {
        state.withLock { $0.loop?.cancel() }
        tell.finish()
    }

    package func announce(_ address: String) {
        state.withLock { state in
            guard state.loop == nil, !state.isOver else { return }
            state.address = address
            state.loop = Task { [weak self] in
                var round = Round()
                while !Task.isCancelled, await self?.keep(&round) != nil {}
            }
        }
    }

    package func forget(_ project: ProjectID) { state.withLock { $0.manager.forget(project) } }

    package func leave() async {
        let held = state.withLock { state in
            state.isOver = true
            state.loop?.cancel()
            return state.manager.giveUp()
        }
        tell.finish()
        // Without a release, the leases expire.
        if !held.isEmpty { try? await table.release(held, instance) }
    }

    // MARK: One project

    package func place(of project: ProjectID) async throws(StoreError) -> ProjectPlace {
        do {
            let task = try state.withLock { state throws(StoreError) -> Task<ProjectPlace, any Error> in
                if let place = state.manager.place(of: project) { return Task { place } }
                guard let address = state.address, !state.isOver else {
                    throw .failed("this instance takes no projects (yet)")
                }
                if let claim = state.claims[project] { return claim }
                let claim = Task { try await self.claim(project, address) }
                state.claims[project] = claim
                return claim
            }
            return try await task.value
        } catch {
            throw (error as? StoreError) ?? .failed((error as? PostgresError)?.line ?? "\(error)")
        }
    }

    private func claim(_ project: ProjectID, _ address: String) async throws -> ProjectPlace {
        defer { state.withLock { $0.claims[project] = nil } }
        for _ in 0..<PostgresLease.claims {
            if let place = try await askForPlace(project, address) { return place }
        }
        throw StoreError.failed("project \(project) is changing hands")
    }

    /// Claims the project or finds its holder. Returns `nil` if the holder lost the lease between the two
    /// queries.
    private func askForPlace(_ project: ProjectID, _ address: String) async throws -> ProjectPlace? {
        let asked = ContinuousClock.now
        if let epoch = try await table.claim(project, instance, address) {
            return .here(hold(project, epoch, since: asked))
        }
        guard let holder = try await table.holder(of: project) else { return nil }
        // This instance is the holder if the answer to its claim was lost, or if it has just taken the
        // project over. The remaining time of the lease is unknown, so a renewal must come first.
        if holder.instance == instance {
            return .here(hold(project, holder.epoch, since: asked - LeaseTable.time))
        }
        state.withLock { $0.manager.learn(project, holder.address, holder.epoch) }
        return .there(holder.address)
    }

    private func hold(_ project: ProjectID, _ epoch: Int64, since asked: ContinuousClock.Instant) -> Lease {
        let (lease, lost) = state.withLock {
            $0.manager.hold(project, epoch: epoch, until: asked + LeaseTable.time)
        }
        if let lost { tell.yield(.lost(lost)) }
        return lease
    }

    // MARK: All of them

    private struct Round {
        var nextTick = ContinuousClock.now
        var generation = 0
        /// `true` after a failure of the database. The holders of leases then get time to renew them before
        /// others take them over.
        var isAfterFailure = false
    }

    private func keep(_ round: inout Round) async {
        do throws(PostgresError) {
            if round.nextTick <= .now {
                try await renew()
                if !round.isAfterFailure { try await takeOver() }
                round.isAfterFailure = false
                round.nextTick = .now + PostgresLease.tick
            }
            try await listen(&round)
        } catch {
            round.isAfterFailure = true
            round.nextTick = .now
            // Cancellation ends the round.
            do { try await Task.sleep(for: PostgresLease.pause) } catch { return }
        }
    }

    private func renew() async throws(PostgresError) {
        let (held, address) = state.withLock { ($0.manager.list, $0.address) }
        guard !held.isEmpty, let address else { return }
        let asked = ContinuousClock.now
        let kept = try await table.renew(held, instance, address)
        let lost = state.withLock { $0.manager.renew(held, kept: kept, until: asked + LeaseTable.time) }
        for lease in lost { tell.yield(.lost(lease)) }
    }

    private func takeOver() async throws(PostgresError) {
        guard let address = state.withLock({ $0.isOver ? nil : $0.address }) else { return }
        let asked = ContinuousClock.now
        for one in try await table.takeOver(instance, address) {
            tell.yield(.taken(hold(one.project, one.epoch, since: asked)))
        }
    }

    private func listen(_ round: inout Round) async throws(PostgresError) {
        let wait = max(.zero, ContinuousClock.now.duration(to: round.nextTick))
        let payloads = try await table.listener.notifications(wait: Int32(wait.inSeconds * 1000) + 1)
        let generation = await table.listener.generation
        if generation != round.generation {
            // Notices between two connections have reached no session of this instance.
            state.withLock { $0.manager.forgetOthers() }
            round.generation = generation
        }
        for notice in payloads.compactMap(LeaseNotice.init) {
            if let lost = state.withLock({ $0.manager.note(notice, self: instance) }) {
                tell.yield(.lost(lost))
            }
            // An instance has left in good order, so its leases are free at once.
            if notice.instance == nil { round.nextTick = .now }
        }
    }
}
