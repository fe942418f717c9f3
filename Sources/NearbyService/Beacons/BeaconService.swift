import Beacons
import Logging
import Nearby

/// A service that looks up observed beacons for all projects. It reads beacons from the store each time, so
/// that any instance can answer and a beacon that is switched off disappears at once. It keeps in memory only
/// the current identifiers of beacons that change their names, for projects that ask about such beacons.
actor BeaconService {
    /// The time for which loaded identifiers are used before the store is asked whether the project's beacons
    /// have changed.
    private static let checkInterval = Duration.seconds(5)
    /// The age at which identifiers are loaded again, to include the clock drifts that other instances have
    /// stored. A project that asks for nothing for this time is forgotten.
    private static let longestAge = Duration.seconds(3600)

    private struct Loaded {
        var resolver: BeaconResolver
        let loaded: Instant
        /// The wall time at the clock's start, in milliseconds since 1970, when the identifiers were loaded.
        let startUnixMillis: Int64
        var checked: Instant
        var asked: Instant
    }

    private let store: any ServiceStore
    private let clock: ServiceClock
    private let log: Logger
    private var loaded: [ProjectID: Loaded] = [:]
    /// The loads that are in progress. Requests that arrive meanwhile wait for the same load.
    private var loading: [ProjectID: Task<Void, any Error>] = [:]

    init(store: any ServiceStore, clock: ServiceClock, log: Logger) {
        (self.store, self.clock, self.log) = (store, clock, log)
    }

    /// Answers which of the observed beacons are known. Throws: ``StoreError``.
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
                // The next drift by a quarter of a rotation causes another attempt.
                log.warning("the store does not keep a beacon's clock: \(error)")
            }
        }
        return found.name
    }

    private var unixSeconds: Int64 { clock.unixMillis(clock.now) / 1000 }

    /// The largest step of the wall clock, in milliseconds, after which the loaded identifiers stay valid.
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

    /// Forgets the identifiers of projects that have asked for none for an hour.
    func forget() {
        let now = clock.now
        loaded = loaded.filter { $0.value.asked + BeaconService.longestAge > now }
    }
}
