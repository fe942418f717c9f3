import Logging

/// Maintenance that no request triggers. Its functions must be called at regular intervals.
extension NearbyService {
    /// The number of calls of ``pulse()`` in which each stream is woken once.
    package static let pulsePhases = 30

    /// Wakes a thirtieth of all streams, so that each sends something every 30 s and not all do so at the
    /// same moment. A client gives a silent one up after 40 s. Call it every second.
    package func pulse() async {
        pulsePhase = (pulsePhase + 1) % NearbyService.pulsePhases
        for service in await services() { await service.tellAll(ofPhase: pulsePhase) }
        await countDevices()
    }

    /// Removes devices whose keys were revoked, draws the next day's token keys, updates quotas and the
    /// origins of web keys, and forgets the address budgets and beacon names of clients that have been idle
    /// for long. Call it every few seconds.
    package func checkKeys() async throws(StoreError) {
        webOrigins.set(try await store.webOrigins())
        let projects = Dictionary(
            uniqueKeysWithValues: try await store.projects().map { ($0.id, $0) })
        for service in await services() {
            await service.setQuota(projects[service.project.id]?.deviceQuota)
            let keys = try await store.keys(of: service.project.id)
            await service.keep(Set(keys.filter { !$0.isRevoked }.map(\.id)))
            try await service.renewTokenKeys()
        }
        addresses.withLock { $0.forget(now: clock.now) }
        await beacons.forget()
    }

    /// Returns the reason why nothing that devices report can be stored; `nil` if it can. The function tests
    /// this with a write, and repeats what the store refused before.
    package func storeProblem() async -> String? {
        do {
            try await store.checkWriting()
            for service in await services() { try await service.commitAgain() }
            return nil
        } catch let refusal as ServiceRefusal {
            if case .unavailable(let why) = refusal { return why }
            return "\(refusal)"
        } catch {
            return "\(error)"
        }
    }

    /// Returns the sizes of the projects that this instance serves now, ordered by number.
    package func sizes() async -> [ServiceSize] {
        var sizes: [ServiceSize] = []
        for service in await services() {
            sizes.append(await service.size)
        }
        return sizes.sorted { $0.project.id < $1.project.id }
    }
}
