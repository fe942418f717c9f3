import Nearby
import NearbyService

/// The metrics of projects. No device is ever a label.
extension MetricsText {
    mutating func add(_ sizes: [ServiceSize]) {
        addState(sizes)
        addCounts(sizes)
        addCauses(sizes)
        add(
            "told_seconds", "From an event for a device with a stream to their way down that stream.",
            sizes.map { (MetricsText.label($0), $0.counts.timesToTell) })
    }

    private static func label(_ size: ServiceSize) -> String { "project=\"\(size.project.id)\"" }

    private mutating func addState(_ sizes: [ServiceSize]) {
        func gauge(_ name: String, _ help: String, _ value: (ServiceSize) -> String?) {
            add(
                name, "gauge", help,
                sizes.compactMap { size in value(size).map { (MetricsText.label(size), $0) } })
        }
        gauge("devices", "Devices that are here.") { "\($0.devices)" }
        gauge("device_quota", "Devices that there may be.") { "\($0.deviceQuota)" }
        gauge("streams", "Devices that listen for events.") { "\($0.streams)" }
        gauge("untold_news_seconds", "How long the oldest events wait to go down an open stream.") {
            "\($0.unsentFor.inSeconds)"
        }
        gauge("lease_late", "1 if this server may not answer for the project now.") {
            $0.isLeaseLate ? "1" : "0"
        }
        gauge("lease_remaining_seconds", "Until the lease expires, unless it is renewed.") {
            $0.leaseRemaining.map { "\($0.inSeconds)" }
        }
        gauge("store_failing", "1 if the store refused the last changes.") { $0.isStoreFailing ? "1" : "0" }
    }

    private mutating func addCounts(_ sizes: [ServiceSize]) {
        func counter(_ name: String, _ help: String, _ value: (ServiceCounts) -> Int) {
            add(name, "counter", help, sizes.map { (MetricsText.label($0), "\(value($0.counts))") })
        }
        counter("registrations_total", "Devices that have come.") { $0.registrations }
        counter("restored_devices_total", "Devices read from the store.") { $0.restoredDevices }
        counter("reports_total", "Reports taken.") { $0.reports }
        counter("tokens_granted_total", "Tokens given out.") { $0.grants }
        counter("tokens_valid_total", "Observed tokens that stand for a device.") { $0.validTokens }
        counter("tokens_invalid_total", "Observed tokens that do not.") { $0.invalidTokens }
        counter("tokens_not_judged_total", "Observed tokens that were named too late, or over a budget.") {
            $0.unjudgedTokens
        }
        counter(
            "tokens_suspect_total", "Tokens heard by more devices, or in more networks, than a room has."
        ) { $0.suspectTokens }
        counter("deliveries_total", "Events for devices: found, updated, lost.") { $0.deliveries }
        counter("refusals_total", "Reports refused for too much of something.") { $0.refusals }
    }

    private mutating func addCauses(_ sizes: [ServiceSize]) {
        func counter(
            _ name: String, _ help: String, by label: String, _ values: (ServiceCounts) -> [(String, Int)]
        ) {
            let lines = sizes.flatMap { size in
                values(size.counts).map {
                    ("\(MetricsText.label(size)),\(label)=\"\($0.0)\"", "\($0.1)")
                }
            }
            add(name, "counter", help, lines)
        }
        counter("reports_by_cause_total", "Reports, by the first that applies.", by: "cause") { counts in
            ReportCause.allCases.map { ($0.rawValue, counts.reportCauses[$0] ?? 0) }
        }
        counter("news_total", "Events for devices, by kind.", by: "change") { counts in
            [Answer.Change.found, .updated, .lost].map { ($0.rawValue, counts.changes[$0] ?? 0) }
        }
        counter("departures_total", "Devices that are gone, and why.", by: "cause") { counts in
            DepartureCause.allCases.map { ($0.rawValue, counts.departures[$0] ?? 0) }
        }
        counter("streams_ended_total", "Streams that ended.", by: "cause") {
            [("dead", $0.deadStreams), ("closed", $0.closedStreams)]
        }
    }
}
