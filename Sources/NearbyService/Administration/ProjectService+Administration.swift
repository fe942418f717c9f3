import Logging
import Nearby

extension ProjectService {
    /// The number of devices that the project may have now.
    var deviceQuota: Int { state.settings.devicesPerProject }

    var deviceCount: Int { state.members.count }

    func devices(_ query: DeviceQuery) async throws(ServiceRefusal) -> DevicePage {
        try await checkLease()
        let found = state.search(query)
        return DevicePage(
            devices: found.prefix(query.limit).compactMap(overview), hasMore: found.count > query.limit)
    }

    private func overview(of hash: SecretHash) -> DeviceOverview? {
        state.overview(of: hash, isStreaming: streams[hash] != nil, now: clock.now)
    }

    /// Removes a device: those near it lose it, its stream ends, and its next report is refused. Returns when
    /// the store has forgotten it.
    func expel(_ hash: SecretHash) async throws(ServiceRefusal) {
        try await checkLease()
        let effects = state.expel(hash)
        follow(effects, andTell: true)
        setAlarm()
        log.info("a device was expelled", metadata: ["devices": "\(state.members.count)"])
        if effects.isStoreConcerned { try await commit() }
    }
}
