import Nearby
import NearbyWire
import Synchronization

/// The server without its wires: keys, devices, reports and news of all projects, over one store.
public actor NearbyService {
    private let settings: ServiceSettings
    private let store: any ServiceStore
    private let clock: ServiceClock
    private let makeRandom: @Sendable () -> any RandomNumberGenerator & Sendable
    private var projects: [ProjectID: Task<ProjectService, any Error>] = [:]
    private var addresses = AddressBudgets()

    /// - Parameter makeRandom: secrets, tokens and names are drawn from it: cryptographically strong but in tests.
    public init(
        settings: ServiceSettings = ServiceSettings(), store: any ServiceStore, clock: ServiceClock,
        makeRandom: @escaping @Sendable () -> any RandomNumberGenerator & Sendable = {
            SystemRandomNumberGenerator()
        }
    ) {
        (self.settings, self.store, self.clock, self.makeRandom) = (settings, store, clock, makeRandom)
    }

    /// Takes up the projects that there are, so that the first request need not wait.
    public func start() async throws(ServiceRefusal) {
        do {
            for project in try await store.projects() { _ = try await service(of: project).value }
        } catch {
            throw .unavailable("\(error)")
        }
    }

    // MARK: Requests

    /// A new device of the key's project. Throws: `.unknown`, `.tooMuch`, `.unavailable`.
    public func register(key text: Substring?, address: String) async throws(ServiceRefusal)
        -> WireRegistration
    {
        try addresses.spend(1, .registration, address, settings, now: clock.now)
        guard let secret = text.flatMap({ Secret(.key, $0) }) else { throw .unknown }
        let key: APIKey?
        do throws(StoreError) { key = try await store.key(secret.hash) } catch {
            throw .unavailable("\(error)")
        }
        guard let key else { throw .unknown }
        guard let service = try await service(of: key.project) else { throw .unknown }
        var random = makeRandom()
        let device = Secret(.device, of: key.project, random: &random)
        try await service.register(device.hash, key: key.id)
        return WireRegistration(device: device.text)
    }

    /// Throws: `.unknown`, `.tooMuch`, `.unavailable`.
    public func device(_ text: Substring?, address: String) async throws(ServiceRefusal) -> Device {
        try addresses.spend(1, .request, address, settings, now: clock.now)
        guard let secret = text.flatMap({ Secret(.device, $0) }),
            let service = try await service(of: secret.project)
        else {
            try addresses.spend(1, .registration, address, settings, now: clock.now)
            throw .unknown
        }
        return Device(secret: secret.hash, service: service)
    }

    /// One device that asks.
    public struct Device: Sendable {
        fileprivate let secret: SecretHash
        fileprivate let service: ProjectService
    }

    // MARK: Projects

    private func service(of id: ProjectID) async throws(ServiceRefusal) -> ProjectService? {
        do {
            if let running = projects[id] { return try await running.value }
            guard let project = try await store.projects().first(where: { $0.id == id }) else { return nil }
            return try await service(of: project).value
        } catch {
            projects[id] = nil
            throw .unavailable("\(error)")
        }
    }

    private func service(of project: Project) -> Task<ProjectService, any Error> {
        if let running = projects[project.id] { return running }
        let task = Task { [settings, store, clock, makeRandom] in
            try await ProjectService(
                project, settings: settings, store: store, clock: clock, random: makeRandom())
        }
        projects[project.id] = task
        return task
    }

    private func services() async -> [ProjectService] {
        var services: [ProjectService] = []
        for task in projects.values { if let service = try? await task.value { services.append(service) } }
        return services
    }

    /// All streams say something. To be called every 15 s.
    public func pulse() async {
        for service in await services() { await service.ringAll() }
    }

    /// Devices of keys that were revoked go. To be called every few seconds.
    public func checkKeys() async throws(StoreError) {
        for service in await services() {
            let keys = try await store.keys(of: service.project.id)
            await service.keep(Set(keys.filter { !$0.isRevoked }.map(\.id)))
        }
        addresses.forget(now: clock.now)
    }

    /// Ends all streams, and waits until the store has everything.
    public func shutDown() async throws(ServiceRefusal) {
        for service in await services() { try await service.shutDown() }
    }

    /// Whether the store answers.
    public func isHealthy() async -> Bool { (try? await store.projects()) != nil }

    public func sizes() async -> [ServiceSize] {
        var sizes: [ServiceSize] = []
        for service in await services() {
            let (devices, streams, counts) = await service.size
            sizes.append(
                ServiceSize(project: service.project, devices: devices, streams: streams, counts: counts))
        }
        return sizes.sorted { $0.project.id < $1.project.id }
    }
}

/// How large a project is.
public struct ServiceSize: Sendable {
    public var project: Project
    public var devices: Int
    public var streams: Int
    public var counts: ServiceCounts
}

extension NearbyService.Device {
    /// Returns when the store has what it says.
    public func report(_ report: WireReport) async throws(ServiceRefusal) -> WireAnswer {
        let value: Report
        do throws(WireError) { value = try report.value() } catch { throw .malformed("\(error)") }
        return try await service.report(
            value, mailbox: report.mailbox, takenNews: report.takenNews, from: secret)
    }

    /// News as they come; ends when the device opens another one or is gone.
    ///
    /// Throws: `.unknown`, `.incomplete`.
    public func news() async throws(ServiceRefusal) -> NewsStream {
        try await service.listen(secret)
    }
}
