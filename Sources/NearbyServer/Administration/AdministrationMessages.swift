import Nearby
import NearbyService

/// The protocol of the administration socket: JSON over HTTP. GET reads, POST changes.
///
///     GET  /v1/status                                  AdministrationStatus
///     GET  /v1/quota?project=NAME                      AdministrationQuota
///     POST /v1/quota?project=NAME&devices=N|standard   AdministrationQuota
///     GET  /v1/devices?project=NAME[&label=TEXT][&hash=DIGITS][&after=HASH][&limit=N]   AdministrationPage
///     GET  /v1/device?project=NAME&hash=DIGITS         AdministrationDevice
///     POST /v1/expel?project=NAME&hash=DIGITS          AdministrationDevice, as it was
///     POST /v1/drain                                   AdministrationStatus; then the server drains and ends
///
/// Refusals are `{"error": "one line"}` with status 400, 404, 409 or 503. Later versions may add members;
/// those that there are keep their names and meanings.
package enum AdministrationPath {
    package static let status = "/v1/status"
    package static let quota = "/v1/quota"
    package static let devices = "/v1/devices"
    package static let device = "/v1/device"
    package static let expel = "/v1/expel"
    package static let drain = "/v1/drain"
}

/// The running server and the projects that it serves now.
package struct AdministrationStatus: Codable, Sendable {
    package struct ServedProject: Codable, Sendable {
        package var id: Int64
        package var name: String
        package var devices: Int
        package var streams: Int
        package var deviceQuota: Int
    }

    package var uptimeSeconds: Int
    /// True if the server is ending: it closes its streams one after another.
    package var isDraining: Bool
    package var connections: Int
    package var projects: [ServedProject]
}

/// The number of devices that a project may have at one time.
package struct AdministrationQuota: Codable, Sendable {
    package var project: String
    package var devices: Int
    package var isStandard: Bool

    init(_ quota: NearbyService.Quota) {
        (project, devices) = (quota.project.name, quota.devices)
        isStandard = quota.project.deviceQuota == nil
    }
}

/// A device, without contents, tokens and secret.
package struct AdministrationDevice: Codable, Sendable {
    package struct HeldToken: Codable, Sendable {
        package var medium: String
        package var remainingMillis: Int64
    }

    /// The hash of the device's secret: 64 hexadecimal digits. The first eight stand in log lines.
    package var hash: String
    package var label: String?
    /// The number of the API key with which the device registered.
    package var key: Int64
    package var isStreaming: Bool
    package var isNearAny: Bool
    /// The time since the last report; `nil` if the device has not reported since this server has it.
    package var sinceReportMillis: Int64?
    package var publications: Int
    package var subscriptions: Int
    package var tokens: [HeldToken]

    init(_ device: DeviceOverview) {
        (hash, label, key) = (device.hash.hexadecimal, device.label, device.key.number)
        (isStreaming, isNearAny) = (device.isStreaming, device.isNearAny)
        sinceReportMillis = device.sinceReport.map { Int64($0 / .milliseconds(1)) }
        (publications, subscriptions) = (device.publications, device.subscriptions)
        tokens = device.tokens.map {
            HeldToken(medium: $0.medium.rawValue, remainingMillis: Int64($0.remaining / .milliseconds(1)))
        }
    }
}

/// A page of devices, in the order of their hashes.
package struct AdministrationPage: Codable, Sendable {
    package var devices: [AdministrationDevice]
    /// The cursor of the next page, for `after`; `nil` if this is the last page.
    package var next: String?

    init(_ page: DevicePage) {
        devices = page.devices.map(AdministrationDevice.init)
        next = page.hasMore ? devices.last?.hash : nil
    }
}
