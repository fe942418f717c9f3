import Nearby

/// The reason why an administrator's request cannot be done.
package indirect enum AdministrationRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no project of that name. The names are those that exist.
    case noProject(String, existing: [String])
    /// The project exists, and this instance does not serve it now.
    case notServed(String)
    /// No device of the project has a hash that begins so.
    case noDevice(String, project: String)
    /// Several devices have a hash that begins so.
    case ambiguous(String, project: String)
    /// The service or its store does not answer.
    case unavailable(String)

    package var description: String {
        switch self {
        case .noProject(let name, let existing):
            "there is no project '\(name)': there is \(existing.isEmpty ? "none" : existing.joined(separator: ", "))"
        case .notServed(let name):
            "another instance serves project '\(name)', or none yet: ask at the socket of the one that does"
        case .noDevice(let hash, let project):
            "project '\(project)' has no device whose hash begins with '\(hash)'"
        case .ambiguous(let hash, let project):
            "project '\(project)' has several devices whose hash begins with '\(hash)': give more digits"
        case .unavailable(let why): why
        }
    }

    init(_ refusal: ServiceRefusal) { self = .unavailable("\(refusal)") }
}

/// The part for administrators of the running service. Nobody else may call these functions.
extension NearbyService {
    /// A project with the number of devices that it may have.
    package struct Quota: Sendable {
        package var project: Project
        package var devices: Int
    }

    /// Returns the quota of a project, whether it is served here or not.
    package func quota(ofProject name: String) async throws(AdministrationRefusal) -> Quota {
        let project = try await project(name)
        return Quota(project: project, devices: project.deviceQuota ?? settings.devicesPerProject)
    }

    /// Sets the quota of a project. It is in force here when the function returns, and within seconds at
    /// other instances.
    ///
    /// - Parameter devices: the number, over 0; `nil` for the standard one.
    package func setQuota(
        _ devices: Int?, ofProject name: String
    ) async throws(AdministrationRefusal) -> Quota {
        var project = try await project(name)
        do throws(StoreError) { try await store.setQuota(devices, of: project.id) } catch {
            throw .unavailable("\(error)")
        }
        project.deviceQuota = devices
        for service in await services() where service.project.id == project.id {
            await service.setQuota(devices)
        }
        return Quota(project: project, devices: devices ?? settings.devicesPerProject)
    }

    package func devices(
        _ query: DeviceQuery, ofProject name: String
    ) async throws(AdministrationRefusal) -> DevicePage {
        let service = try await served(name)
        do throws(ServiceRefusal) { return try await service.devices(query) } catch {
            throw AdministrationRefusal(error)
        }
    }

    /// Returns the one device whose hash begins with these hexadecimal digits.
    package func device(
        _ digits: String, ofProject name: String
    ) async throws(AdministrationRefusal) -> DeviceOverview {
        guard let hashes = SecretHash.range(beginning: digits) else {
            throw .noDevice(digits, project: name)
        }
        let page = try await devices(DeviceQuery(hashes: hashes, limit: 1), ofProject: name)
        guard let device = page.devices.first else { throw .noDevice(digits, project: name) }
        guard !page.hasMore else { throw .ambiguous(digits, project: name) }
        return device
    }

    /// Removes the one device whose hash begins with these hexadecimal digits. It may register again as long
    /// as its API key is valid.
    package func expel(
        _ digits: String, ofProject name: String
    ) async throws(AdministrationRefusal) -> DeviceOverview {
        let device = try await device(digits, ofProject: name)
        let service = try await served(name)
        do throws(ServiceRefusal) { try await service.expel(device.hash) } catch {
            throw AdministrationRefusal(error)
        }
        return device
    }

    private func project(_ name: String) async throws(AdministrationRefusal) -> Project {
        let projects: [Project]
        do throws(StoreError) { projects = try await store.projects() } catch {
            throw .unavailable("\(error)")
        }
        guard let project = projects.first(where: { $0.name == name }) else {
            throw .noProject(name, existing: projects.map(\.name))
        }
        return project
    }

    private func served(_ name: String) async throws(AdministrationRefusal) -> ProjectService {
        for service in await services() where service.project.name == name { return service }
        throw .notServed(try await project(name).name)
    }
}
