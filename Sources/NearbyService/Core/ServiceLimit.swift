/// What there may be too much of.
public enum ServiceLimit: String, Sendable, Hashable, CaseIterable {
    case requestsOfAddress = "requests from this address"
    case registrationsOfAddress = "registrations from this address"
    case beaconsOfAddress = "beacons asked about from this address"
    case registrationsOfProject = "registrations in this project"
    case devicesOfProject = "devices in this project"
    case reportsOfDevice = "reports of this device"
    case reportsOfProject = "reports in this project"
    case invalidTokens = "tokens that stand for nobody"
}
