import Nearby

/// What outlives a service: projects, their keys, and what each device has published, subscribed to and holds. Everything else
/// comes back with the next reports.
public protocol ServiceStore: BeaconStore {
    /// Before it serves projects. Throws: `.failed`: another process does, and there can be but one.
    func join() async throws(StoreError) -> any LeaseProvider
    /// Writes what changes nothing, in the way in which what devices say is written.
    ///
    /// Throws: why nothing can be written.
    func checkWriting() async throws(StoreError)
    /// All that there are, by number.
    func projects() async throws(StoreError) -> [Project]
    /// Nil when there is none of that number.
    func project(_ id: ProjectID) async throws(StoreError) -> Project?
    /// Throws: `.exists`.
    func createProject(_ name: String) async throws(StoreError) -> Project
    /// All that it ever had, those revoked included, by number.
    func keys(of project: ProjectID) async throws(StoreError) -> [APIKey]
    /// A new key of a project that there is. The text of an app's key is not told to the store.
    ///
    /// - Parameters:
    ///   - label: what it is for, in its owner's words.
    ///   - web: its text and pages, when it is a web key; nil: it is an app's.
    func addKey(
        _ hash: SecretHash, label: String, web: WebKey?, to project: ProjectID
    ) async throws(StoreError) -> APIKey
    /// Whether there was one.
    func revokeKey(_ key: KeyID) async throws(StoreError) -> Bool
    /// Nil when there is none, or it was revoked.
    func key(_ hash: SecretHash) async throws(StoreError) -> APIKey?
    /// Of all pages that web keys are for, but for those that were revoked.
    func webOrigins() async throws(StoreError) -> Set<String>
    /// All that are stored, but for those whose key was revoked.
    ///
    /// - Parameter clock: in its time the ends of tokens are given.
    func devices(of project: ProjectID, clock: ServiceClock) async throws(StoreError) -> [StoredDevice]
    /// All or nothing. Throws: `.superseded` when another instance has taken the project since that lease was given.
    func commit(
        _ saved: [StoredDevice], deleted: [SecretHash], under lease: Lease, clock: ServiceClock
    ) async throws(StoreError)
}

extension ServiceStore {
    /// A new key for apps.
    public func addKey(
        _ hash: SecretHash, label: String, to project: ProjectID
    ) async throws(StoreError) -> APIKey {
        try await addKey(hash, label: label, web: nil, to: project)
    }
}

/// A tenant of a store: devices of one are never brought together with another's.
public struct Project: Sendable, Hashable {
    /// Given by the store.
    public var id: ProjectID
    /// In its owner's words; no two projects of a store have the same.
    public var name: String

    /// As the store has it: ``ServiceStore/createProject(_:)`` makes one.
    public init(id: ProjectID, name: String) { (self.id, self.name) = (id, name) }
}

/// A device as the store has it.
public struct StoredDevice: Sendable {
    /// By which it is known again; the secret itself only the device has.
    public var secret: SecretHash
    /// The one that it registered with: when that is revoked, the device goes.
    public var key: KeyID
    /// What it publishes and subscribes to, and the tokens it holds.
    public var record: DeviceRecord

    /// As given; nothing is checked.
    public init(secret: SecretHash, key: KeyID, record: DeviceRecord) {
        (self.secret, self.key, self.record) = (secret, key, record)
    }
}

/// Why a store has not done something. After ``failed(_:)`` it may have been done all the same: the answer
/// was lost.
public indirect enum StoreError: Error, Sendable, Hashable {
    /// There is one of that name, and perhaps it is somebody else's. What it is, for people.
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
        case .exists(let what): "\(what) exists already, and stays as it is: choose another name"
        case .superseded: "another instance serves this project"
        case .changed(let what): "\(what) was changed meanwhile"
        case .full(let what): "a project has at most \(what)"
        case .failed(let why): why
        }
    }
}
