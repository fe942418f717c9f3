import Logging
import Nearby
import NearbyWire
import Synchronization

/// The server without its network layer: keys, devices, reports and events of all projects, over one store.
package actor NearbyService {
    let settings: ServiceSettings
    let store: any ServiceStore
    let clock: ServiceClock
    let log: Logger
    let makeRandom: @Sendable () -> any RandomNumberGenerator & Sendable
    private var leaseProvider: Task<any LeaseProvider, any Error>?
    /// The projects that this instance serves. Only the actor changes them.
    private nonisolated let projects = Mutex<[ProjectID: Running]>([:])
    private var isOver = false
    var pulsePhase = 0
    nonisolated let fleet = FleetSize()
    /// The admission of devices that come back at once.
    package nonisolated let admission: Admission
    nonisolated let addresses = Mutex(AddressBudgets())
    let beacons: BeaconService
    /// The origins of the pages for which web keys are valid.
    package nonisolated let webOrigins = WebOrigins()
    let requestQueue: FairRequestQueue
    var registrationNames: RegistrationNames
    private let watch: StallWatch
    private let watching: Task<Void, Never>

    private struct Running: Sendable {
        var lease: Lease
        var service: Task<ProjectService, any Error>
        /// The result of the task, for which a request need not wait; `nil` until there is one.
        var ready: ProjectService?
    }

    /// - Parameters:
    ///   - log: receives messages about projects that come and go, about failures of the store and, at debug
    ///     level, about devices: their number, but never their identity or the content of their reports.
    ///   - makeRandom: returns the generator of secrets, tokens and names. It must be cryptographically
    ///     strong except in tests.
    package init(
        settings: ServiceSettings = ServiceSettings(), store: any ServiceStore, clock: ServiceClock,
        log: Logger = Logger(label: "nearby.service") { _ in SwiftLogNoOpLogHandler() },
        makeRandom: @escaping @Sendable () -> any RandomNumberGenerator & Sendable = {
            SystemRandomNumberGenerator()
        }
    ) {
        (self.settings, self.store, self.clock, self.makeRandom) = (settings, store, clock, makeRandom)
        self.log = log
        admission = Admission(rate: settings.returnsPerSecond)
        requestQueue = FairRequestQueue(places: settings.requestsAtOncePerNetwork)
        var random = makeRandom()
        registrationNames = RegistrationNames(random: &random, now: clock.now)
        beacons = BeaconService(store: store, clock: clock, log: log)
        let watch = StallWatch(now: clock.now)
        self.watch = watch
        watching = Task {
            while !Task.isCancelled {
                _ = watch.total(at: clock.now)
                do { try await Task.sleep(for: StallWatch.interval) } catch { return }
            }
        }
    }

    deinit { watching.cancel() }

    /// Joins the other instances, or makes sure that there is none. A sole instance then loads the existing
    /// projects, so that the first request need not wait.
    ///
    /// Returns: the secret that these instances share; `nil` if there can be only one instance.
    @discardableResult
    package func start() async throws(ServiceRefusal) -> String? {
        do {
            let leaseProvider = try await joined()
            webOrigins.set(try await store.webOrigins())
            if leaseProvider.isSole {
                for project in try await store.projects() { _ = try await service(of: project) }
            }
            await countDevices()
            return leaseProvider.clusterSecret
        } catch {
            throw ServiceRefusal(error)
        }
    }

    /// Announces the address at which other instances reach this one. From now on this instance takes
    /// projects.
    package func announce(_ address: String) async throws(ServiceRefusal) {
        do { try await joined().announce(address) } catch { throw ServiceRefusal(error) }
    }

    // MARK: Requests

    /// Authenticates a device. The caller must not read any part of a body before this function returns.
    ///
    /// Throws: `.unknown`, `.tooMuch`, `.unavailable`.
    package nonisolated func device(
        _ text: Substring?, address: String
    ) async throws(ServiceRefusal) -> Device {
        try await device(text.flatMap { DeviceCredential($0) }, client: ClientNetwork(address))
    }

    /// Authenticates a device, like ``device(_:address:)``. A connection keeps both values, because parsing
    /// and hashing them costs more than matching a report.
    package nonisolated func device(
        _ credential: DeviceCredential?, client: ClientNetwork
    ) async throws(ServiceRefusal) -> Device {
        try spend(1, .request, of: client)
        guard let credential, let service = try await service(of: credential.project),
            try await service.knows(credential.hash)
        else { throw stranger(client) }
        return Device(
            secret: credential.hash, service: service, client: client, requestQueue: requestQueue,
            admission: admission)
    }

    /// Returns a requester for beacons of the key's project. Any instance can answer, because it keeps
    /// nothing of the request in memory. Throws: `.unknown`, `.foreign`, `.tooMuch`, `.unavailable`.
    package func beaconRequester(
        key text: Substring?, origin: RequestOrigin = .none, address: String
    ) async throws(ServiceRefusal) -> BeaconRequester {
        let client = ClientNetwork(address)
        try spend(1, .request, of: client)
        guard let key = try await key(text) else { throw stranger(client) }
        try key.web?.check(origin)
        return BeaconRequester(service: self, project: key.project, client: client)
    }

    /// Returns the same refusal for every unknown client, whether it lacks a key, a device or a project.
    nonisolated func stranger(_ client: ClientNetwork) -> ServiceRefusal {
        do throws(ServiceRefusal) {
            try spend(1, .failure, of: client)
            return .unknown
        } catch { return error }
    }

    /// Charges the budgets of a client's addresses. Throws: `.tooMuch`.
    nonisolated func spend(
        _ amount: Double, _ kind: AddressBudgets.Kind, of client: ClientNetwork
    ) throws(ServiceRefusal) {
        try addresses.withLock { addresses throws(ServiceRefusal) in
            try addresses.spend(amount, kind, client, settings, now: clock.now)
        }
    }

    func key(_ text: Substring?) async throws(ServiceRefusal) -> APIKey? {
        guard let secret = text.flatMap(Secret.anyKey) else { return nil }
        do throws(StoreError) { return try await store.key(secret.hash) } catch {
            throw .unavailable("\(error)")
        }
    }

    // MARK: Projects

    /// Returns the service of a project; `nil` if there is no such project. Throws: `.elsewhere`,
    /// `.unavailable`.
    nonisolated func service(of id: ProjectID) async throws(ServiceRefusal) -> ProjectService? {
        do {
            if let running = running(id) {
                if let service = running.ready { return service }
                return try await running.service.value
            }
            guard let project = try await store.project(id) else { return nil }
            return try await service(of: project)
        } catch {
            throw ServiceRefusal(error)
        }
    }

    private nonisolated func running(_ id: ProjectID) -> Running? {
        guard let running = projects.withLock({ $0[id] }), running.lease.standing != .lost else { return nil }
        return running
    }

    private func service(of project: Project) async throws -> ProjectService {
        switch try await joined().place(of: project.id) {
        case .there(let address): throw ServiceRefusal.elsewhere(project.id, address: address)
        case .here(let lease): return try await serve(project, under: lease)
        }
    }

    private func serve(_ project: Project, under lease: Lease) async throws -> ProjectService {
        if let running = running(project.id) { return try await running.service.value }
        guard !isOver else { throw ServiceRefusal.unavailable("this instance is ending") }
        let task = Task { [settings, store, clock, watch, log, makeRandom] in
            try await ProjectService(
                project, under: lease, settings: settings, store: store, clock: clock, watch: watch, log: log,
                makeRandom: makeRandom)
        }
        let former = projects.withLock {
            $0.updateValue(Running(lease: lease, service: task), forKey: project.id)
        }
        former.map(drop)
        do {
            let service = try await task.value
            projects.withLock { if $0[project.id]?.lease === lease { $0[project.id]!.ready = service } }
            return service
        } catch {
            remove(project.id, under: lease)
            throw error
        }
    }

    // MARK: Other instances

    private func joined() async throws -> any LeaseProvider {
        if let leaseProvider { return try await leaseProvider.value }
        let task = Task { [weak self, store] in
            let leaseProvider = try await store.join()
            Task { for await event in leaseProvider.events { await self?.follow(event) } }
            return leaseProvider
        }
        leaseProvider = task
        do { return try await task.value } catch {
            // Another request may have started a new attempt meanwhile.
            if leaseProvider == task { leaseProvider = nil }
            throw error
        }
    }

    private func follow(_ event: LeaseEvent) async {
        switch event {
        case .lost(let lease):
            guard let running = remove(lease.project, under: lease) else { return }
            drop(running)
            log.info("another instance has the project", metadata: ["project": "\(lease.project)"])
        case .taken(let lease):
            log.info("taken over", metadata: ["project": "\(lease.project)"])
            do {
                guard let project = try await store.project(lease.project) else { return }
                _ = try await serve(project, under: lease)
            } catch {
                log.warning(
                    "the first request tries again to take over",
                    metadata: ["project": "\(lease.project)", "error": "\(error)"])
            }
        }
    }

    /// Removes a project, unless another lease of it has replaced this one.
    @discardableResult
    private func remove(_ id: ProjectID, under lease: Lease) -> Running? {
        projects.withLock { $0[id]?.lease === lease ? $0.removeValue(forKey: id) : nil }
    }

    private func drop(_ running: Running) {
        running.lease.lose()
        Task {
            // A service that failed to start has nothing to abandon, and its caller has received the error.
            guard case .success(let service) = await running.service.result else { return }
            await service.abandon()
        }
    }

    /// Notes that the instance that should serve this project does not answer. The next request looks for the
    /// instance again.
    package func forget(_ project: ProjectID) async {
        do { try await joined().forget(project) } catch {
            log.debug("nothing to forget: the instances cannot be asked", metadata: ["error": "\(error)"])
        }
    }

    func services() async -> [ProjectService] {
        var services: [ProjectService] = []
        for running in projects.withLock({ Array($0.values) }) {
            // A service that failed to start has reported the error to its caller.
            if case .success(let service) = await running.service.result { services.append(service) }
        }
        return services
    }

    /// Ends all streams, waits until the store has everything, and leaves the projects to others.
    ///
    /// Throws: the first error, after everything else is done.
    package func shutDown() async throws(ServiceRefusal) {
        isOver = true
        var refusal: ServiceRefusal?
        for service in await services() {
            do throws(ServiceRefusal) { try await service.shutDown() } catch { refusal = refusal ?? error }
        }
        if case .success(let leaseProvider) = await leaseProvider?.result { await leaseProvider.leave() }
        if let refusal { throw refusal }
    }
}

extension ServiceRefusal {
    /// Converts an error from a lower layer into a refusal.
    init(_ error: any Error) { self = (error as? ServiceRefusal) ?? .unavailable("\(error)") }
}
