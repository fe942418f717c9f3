import Nearby

/// What outlives a service: projects, their keys, and what each device has published, subscribed to and holds. Everything else
/// comes back with the next reports.
public protocol ServiceStore: BeaconStore {
    /// Before it serves projects. Throws: `.failed`: another process does, and there can be but one.
    func join() async throws(StoreError) -> any LeaseKeeper
    func projects() async throws(StoreError) -> [Project]
    func project(_ id: ProjectID) async throws(StoreError) -> Project?
    /// Throws: `.exists`.
    func createProject(_ name: String) async throws(StoreError) -> Project
    func keys(of project: ProjectID) async throws(StoreError) -> [APIKey]
    func addKey(_ hash: SecretHash, label: String, to project: ProjectID) async throws(StoreError) -> APIKey
    /// Whether there was one.
    func revokeKey(_ key: KeyID) async throws(StoreError) -> Bool
    /// Nil when there is none, or it was revoked.
    func key(_ hash: SecretHash) async throws(StoreError) -> APIKey?
    func devices(of project: ProjectID, clock: ServiceClock) async throws(StoreError) -> [StoredDevice]
    /// All or nothing. Throws: `.superseded` when another instance has taken the project since that lease was given.
    func commit(
        _ saved: [StoredDevice], deleted: [SecretHash], under lease: Lease, clock: ServiceClock
    ) async throws(StoreError)
}

public struct Project: Sendable, Hashable {
    public var id: ProjectID
    public var name: String

    public init(id: ProjectID, name: String) { (self.id, self.name) = (id, name) }
}

public struct KeyID: Sendable, Hashable, CustomStringConvertible {
    public let number: Int64

    public init(_ number: Int64) { self.number = number }

    public var description: String { String(number) }
}

/// What apps of a project carry; its text is not kept.
public struct APIKey: Sendable, Hashable {
    public var id: KeyID
    public var project: ProjectID
    /// What it is for, in its owner's words.
    public var label: String
    public var isRevoked: Bool

    public init(id: KeyID, project: ProjectID, label: String, isRevoked: Bool = false) {
        (self.id, self.project, self.label, self.isRevoked) = (id, project, label, isRevoked)
    }
}

/// A device as the store has it.
public struct StoredDevice: Sendable {
    public var secret: SecretHash
    public var key: KeyID
    public var record: DeviceRecord

    public init(secret: SecretHash, key: KeyID, record: DeviceRecord) {
        (self.secret, self.key, self.record) = (secret, key, record)
    }
}

public indirect enum StoreError: Error, Sendable, Hashable {
    case exists(String)
    /// Another instance serves the project.
    case superseded
    /// Somebody else has changed it since it was read.
    case changed(String)
    /// The project has as much of it as it may have.
    case full(String)
    /// One line.
    case failed(String)
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .exists(let what): "\(what) exists already"
        case .superseded: "another instance serves this project"
        case .changed(let what): "\(what) was changed meanwhile"
        case .full(let what): "a project has at most \(what)"
        case .failed(let why): why
        }
    }
}
