import Logging

/// Maintenance that no request triggers. Its functions must be called at regular intervals.
extension NearbyService {
    /// The number of calls of ``pulse()`` in which each stream is woken once.
    public static let pulsePhases = 15

    /// Wakes a fifteenth of all streams, so that each sends something every 15 s and not all do so at the
    /// same moment. Call it every second.
    public func pulse() async {
        pulsePhase = (pulsePhase + 1) % NearbyService.pulsePhases
        for service in await services() { await service.ringAll(ofPhase: pulsePhase) }
        await countDevices()
    }

    /// The smallest step of the wall clock that counts as a new setting, in milliseconds. Smaller steps are
    /// corrections.
    private static let smallestStep: Int64 = 2000

    /// Checks whether the wall clock was set, and if so writes the ends of tokens to the store again. Call it
    /// every few seconds.
    public func checkClock() async {
        let start = clock.startUnixMillis
        let (step, isBeyond) = start.subtractingReportingOverflow(startUnixMillis)
        guard isBeyond || step.magnitude >= UInt64(NearbyService.smallestStep) else { return }
        startUnixMillis = start
        log.warning("the wall clock was set", metadata: ["seconds": "\(step / 1000)"])
        for service in await services() {
            do throws(ServiceRefusal) { try await service.noteClockSet() } catch {
                log.warning("the ends of tokens are not written anew", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Removes devices whose keys were revoked, updates quotas and the origins of web keys, and forgets the
    /// address budgets and beacon names of clients that have been idle for long. Call it every few seconds.
    public func checkKeys() async throws(StoreError) {
        webOrigins.set(try await store.webOrigins())
        let projects = Dictionary(
            uniqueKeysWithValues: try await store.projects().map { ($0.id, $0) })
        for service in await services() {
            await service.setQuota(projects[service.project.id]?.deviceQuota)
            let keys = try await store.keys(of: service.project.id)
            await service.keep(Set(keys.filter { !$0.isRevoked }.map(\.id)))
        }
        addresses.forget(now: clock.now)
        await beacons.forget()
    }

    /// Returns the reason why nothing that devices report can be stored; `nil` if it can. The function tests
    /// this with a write, and repeats what the store refused before.
    public func storeProblem() async -> String? {
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
    public func sizes() async -> [ServiceSize] {
        var sizes: [ServiceSize] = []
        for service in await services() {
            sizes.append(await service.size)
        }
        return sizes.sorted { $0.project.id < $1.project.id }
    }
}
