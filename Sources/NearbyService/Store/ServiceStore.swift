import Nearby

/// A store of the data that outlives a service: projects, their keys, and what each device has published and
/// subscribed to. Everything else comes back with the next reports.
package protocol ServiceStore: BeaconStore {
    /// Joins the other instances; a service calls this before it serves projects. Throws: `.failed` if
    /// another process serves them and the store allows only one.
    func join() async throws(StoreError) -> any LeaseProvider
    /// Writes a value that changes nothing, in the same way as it writes what devices report.
    ///
    /// Throws: the reason why nothing can be written.
    func checkWriting() async throws(StoreError)
    /// Returns all projects, ordered by number.
    func projects() async throws(StoreError) -> [Project]
    /// Returns the project of that number; `nil` if there is none.
    func project(_ id: ProjectID) async throws(StoreError) -> Project?
    /// Creates a project. Throws: `.exists`.
    func createProject(_ name: String) async throws(StoreError) -> Project
    /// Sets the number of devices that a project may have at one time.
    ///
    /// - Parameter devices: the number, over 0; `nil` for the standard one.
    func setQuota(_ devices: Int?, of project: ProjectID) async throws(StoreError)
    /// Returns all keys that the project ever had, including revoked ones, ordered by number.
    func keys(of project: ProjectID) async throws(StoreError) -> [APIKey]
    /// Adds a new key to an existing project. The store never sees the text of an app's key.
    ///
    /// - Parameters:
    ///   - label: the purpose of the key, in its owner's words.
    ///   - web: the text and pages of a web key; `nil` for a key of apps.
    func addKey(
        _ hash: SecretHash, label: String, web: WebKey?, to project: ProjectID
    ) async throws(StoreError) -> APIKey
    /// Revokes a key. Returns true if the key exists and was not revoked before.
    func revokeKey(_ key: KeyID) async throws(StoreError) -> Bool
    /// Returns the key with that hash; `nil` if there is none or it was revoked.
    func key(_ hash: SecretHash) async throws(StoreError) -> APIKey?
    /// Returns the origins of all pages for which web keys are valid, except those of revoked keys.
    func webOrigins() async throws(StoreError) -> Set<String>
    /// Returns all stored devices of a project, except those whose key was revoked.
    func devices(of project: ProjectID) async throws(StoreError) -> [StoredDevice]
    /// Writes all changes or none. Throws: `.superseded` if another instance has taken the project since that
    /// lease was granted.
    func commit(
        _ saved: [StoredDevice], deleted: [SecretHash], under lease: Lease
    ) async throws(StoreError)
    /// Returns the keys under which a project's tokens of some days are sealed, 16 bytes each, and deletes
    /// those of earlier days.
    ///
    /// - Parameter new: for each of the days, counted from 1970, the key to keep if there is none yet.
    func tokenKeys(
        of project: ProjectID, orElse new: [Int: [UInt8]]
    ) async throws(StoreError) -> [Int: [UInt8]]
}

extension ServiceStore {
    /// Adds a new key for apps.
    package func addKey(
        _ hash: SecretHash, label: String, to project: ProjectID
    ) async throws(StoreError) -> APIKey {
        try await addKey(hash, label: label, web: nil, to: project)
    }
}

/// A tenant of a store. Devices of one project are never matched with devices of another.
package struct Project: Sendable, Hashable {
    /// The number that the store assigns.
    package var id: ProjectID
    /// The project's name, in its owner's words. It is unique in a store.
    package var name: String
    /// The number of devices that the project may have at one time; `nil` for
    /// ``ServiceSettings/devicesPerProject``.
    package var deviceQuota: Int?

    /// Creates the value from stored properties. ``ServiceStore/createProject(_:)`` makes a new project.
    package init(id: ProjectID, name: String, deviceQuota: Int? = nil) {
        (self.id, self.name, self.deviceQuota) = (id, name, deviceQuota)
    }
}

/// A device in the form that the store keeps.
package struct StoredDevice: Sendable {
    /// The hash that identifies the device. Only the device has the secret itself.
    package var secret: SecretHash
    /// The key with which the device registered. If that key is revoked, the device is removed.
    package var key: KeyID
    /// The name by which the device's owner looks for it; `nil` if it has none.
    package var label: String?
    /// The device's publications and subscriptions, and the number by which its tokens name it.
    package var record: DeviceRecord

    /// Creates a stored device without checking anything.
    package init(secret: SecretHash, key: KeyID, label: String? = nil, record: DeviceRecord) {
        (self.secret, self.key, self.label, self.record) = (secret, key, label, record)
    }
}

/// The reason why a store has not made a change. After ``failed(_:)`` the change may have been made all the
/// same, with only the answer lost.
package indirect enum StoreError: Error, Sendable, Hashable {
    /// There is already one of that name, which may belong to somebody else. The text names the object for
    /// people.
    case exists(String)
    /// Another instance serves the project.
    case superseded
    /// Somebody else has changed the object since it was read.
    case changed(String)
    /// The project has as many of these objects as it may have.
    case full(String)
    /// The store failed. The text is one line with the reason.
    case failed(String)
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exists(let what): "\(what) exists already, and stays as it is: choose another name"
        case .superseded: "another instance serves this project"
        case .changed(let what): "\(what) was changed meanwhile"
        case .full(let what): "a project has at most \(what)"
        case .failed(let why): why
        }
    }
}
