/// A quantity that a service limits.
package enum ServiceLimit: String, Sendable, Hashable, CaseIterable {
    /// Requests of one address, including registrations: ``ServiceSettings/requestsPerAddress``.
    case requestsOfAddress = "requests from this address"
    /// Registrations of one address: ``ServiceSettings/registrationsPerAddress``.
    case registrationsOfAddress = "registrations from this address"
    /// Requests of one address with an unknown key or secret: ``ServiceSettings/failuresPerAddress``.
    case failuresOfAddress = "requests with unknown keys from this address"
    /// Beacons that one address asks about, known or not: ``ServiceSettings/beaconsPerAddress``.
    case beaconsOfAddress = "beacons asked about from this address"
    /// New devices of one project, from whatever address: ``ServiceSettings/registrationsPerProject``.
    case registrationsOfProject = "registrations in this project"
    /// New devices of one web key, from whatever address: ``ServiceSettings/registrationsPerWebKey``.
    case registrationsOfWebKey = "registrations with this web key"
    /// Devices of one project at one time: ``ServiceSettings/devicesPerProject``.
    case devicesOfProject = "devices in this project"
    /// Reports of one device, heartbeats included: ``ServiceSettings/reportsPerDevice``.
    case reportsOfDevice = "reports of this device"
    /// Reports of all devices of a project together: ``ServiceSettings/reportsPerProject``.
    case reportsOfProject = "reports in this project"
    /// Bytes of the reports of one device: ``ServiceSettings/bytesPerDevice``.
    case bytesOfDevice = "bytes of this device's reports"
    /// Bytes of the reports of all devices of a project together: ``ServiceSettings/bytesPerProject``.
    case bytesOfProject = "bytes of reports in this project"
    /// Complete reports of devices that come back: ``ServiceSettings/returnsPerSecond``.
    case completeReports = "devices that come back"
    /// Streams that are opened: ``ServiceSettings/returnsPerSecond``.
    case streams = "streams that are opened"
    /// Devices of one network, which are limited once half of the project's places are taken.
    case devicesOfNetwork = "devices from this network"
}
