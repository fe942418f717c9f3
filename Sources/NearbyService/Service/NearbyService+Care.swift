import Logging

/// Care that no request asks for: to be called now and then.
extension NearbyService {
    /// All streams say something. To be called every 15 s.
    public func pulse() async {
        for service in await services() { await service.ringAll() }
    }

    /// A wall clock that was set by less is one that is being corrected.
    private static let smallestStep: Int64 = 2000

    /// Looks whether the wall clock was set: what the store has of ends is written anew then. To be called every few seconds.
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

    /// Devices of keys that were revoked go, and pages of web keys come and go. To be called every few seconds.
    public func checkKeys() async throws(StoreError) {
        webOrigins.set(try await store.webOrigins())
        for service in await services() {
            let keys = try await store.keys(of: service.project.id)
            await service.keep(Set(keys.filter { !$0.isRevoked }.map(\.id)))
        }
        addresses.forget(now: clock.now)
        await beacons.forget()
    }
}
