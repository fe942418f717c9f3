import Beacons
import Logging
import Nearby

/// Answers which beacons are known, of all projects. Beacons are read from the store each time, so that any instance may answer, and
/// what is switched off is so at once; kept in memory are only the names of the moment, of projects that ask for such.
actor BeaconService {
    /// How long what is known of a project's changing names is not looked at.
    private static let checkInterval = Duration.seconds(5)
    /// After this, clocks that other instances have followed are read too.
    private static let longestAge = Duration.seconds(3600)

    private struct Loaded {
        var resolver: BeaconResolver
        let loaded: Instant
        /// Wall time at the clock's start when it was made, in milliseconds since 1970.
        let startUnixMillis: Int64
        var checked: Instant
        var asked: Instant
    }

    private let store: any ServiceStore
    private let clock: ServiceClock
    private let log: Logger
    private var loaded: [ProjectID: Loaded] = [:]
    /// Requests that come meanwhile wait for the same.
    private var loading: [ProjectID: Task<Void, any Error>] = [:]

    init(store: any ServiceStore, clock: ServiceClock, log: Logger) {
        (self.store, self.clock, self.log) = (store, clock, log)
    }

    /// Throws: ``StoreError``.
    func answer(
        for observed: [AdvertisedID], filters: Set<AttachmentFilter>, project: ProjectID
    ) async throws -> [KnownBeacon] {
        let names = try await names(of: observed, project: project)
        let stored = try await store.beacons(named: Array(Set(names.values)))
        let byName = Dictionary(stored.map { ($0.name, $0) }) { first, _ in first }
        let asked = Set(stored.flatMap(\.attachments).map(\.type.namespace))
        let namespaces = filters.isEmpty ? [] : try await store.namespaces(named: Array(asked))
        let matching = BeaconMatching(
            project: project, filters: filters,
            namespaces: Dictionary(namespaces.map { ($0.name, $0) }) { first, _ in first })
        return matching.answer(for: observed, beacons: names.compactMapValues { byName[$0] })
    }

    private func names(
        of observed: [AdvertisedID], project: ProjectID
    ) async throws -> [AdvertisedID: BeaconName] {
        var names: [AdvertisedID: BeaconName] = [:]
        for id in observed where id.kind != .ephemeral { names[id] = BeaconName(id) }
        let ephemeral = observed.filter { $0.kind == .ephemeral }
        guard !ephemeral.isEmpty else { return names }
        try await prepare(project)
        for id in ephemeral { names[id] = await resolve(id, project) }
        return names
    }

    // MARK: Changing names

    private func resolve(_ id: AdvertisedID, _ project: ProjectID) async -> BeaconName? {
        guard
            let found = loaded[project]?.resolver.resolve(
                EphemeralIdentifier(id), unixSeconds: unixSeconds)
        else { return nil }
        if let drift = found.drift {
            do { try await store.note(drift, of: found.name, project: project) } catch {
                // The next quarter of a rotation is tried again.
                log.warning("the store does not keep a beacon's clock: \(error)")
            }
        }
        return found.name
    }

    private var unixSeconds: Int64 { clock.unixMillis(clock.now) / 1000 }

    /// A step of the wall clock by more makes the windows around now worthless. Milliseconds.
    private static let largestStep: Int64 = 1000

    private func prepare(_ project: ProjectID) async throws {
        if let now = loaded[project],
            (now.startUnixMillis - clock.startUnixMillis).magnitude > UInt64(BeaconService.largestStep)
        {
            loaded[project] = nil
        }
        if let now = loaded[project], now.checked + BeaconService.checkInterval > clock.now {
            loaded[project]?.asked = clock.now
            return
        }
        let task = loading[project] ?? Task { try await load(project) }
        loading[project] = task
        defer { if loading[project] == task { loading[project] = nil } }
        try await task.value
    }

    private func load(_ project: ProjectID) async throws {
        let (start, startUnixMillis) = (clock.now, clock.startUnixMillis)
        let generation = try await store.beaconGeneration(of: project)
        if let now = loaded[project], now.resolver.generation == generation,
            now.loaded + BeaconService.longestAge > start
        {
            loaded[project]?.checked = start
            return
        }
        loaded[project] = Loaded(
            resolver: try await BeaconResolver(of: project, in: store, unixSeconds: unixSeconds),
            loaded: start, startUnixMillis: startUnixMillis, checked: start, asked: start)
    }

    /// Projects that have not asked for an hour.
    func forget() {
        let now = clock.now
        loaded = loaded.filter { $0.value.asked + BeaconService.longestAge > now }
    }
}
