import Nearby
import NearbyService
import NearbyWire
import Synchronization

/// Counters and one histogram, in Prometheus's text format (version 0.0.4).
final class Metrics: Sendable {
    private struct Counts {
        var statuses: [Int: Int] = [:]
        /// The number of reports that took at most as long as each of the ``bounds``.
        var buckets = [Int](repeating: 0, count: Metrics.bounds.count)
        var reports = 0
        var seconds = 0.0
        var forwarded = 0
        var beaconQueries = 0
        var beaconsObserved = 0
        var beaconsKnown = 0
        var attachments = 0
    }

    private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
    private let counts = Mutex(Counts())

    func note(status: Int) { counts.withLock { $0.statuses[status, default: 0] += 1 } }

    func note(report duration: Duration) {
        let seconds = duration.inSeconds
        counts.withLock {
            $0.reports += 1
            $0.seconds += seconds
            for (n, bound) in Metrics.bounds.enumerated() where seconds <= bound { $0.buckets[n] += 1 }
        }
    }

    func note(_ query: WireBeaconQuery, _ answer: WireBeaconAnswer) {
        counts.withLock {
            $0.beaconQueries += 1
            $0.beaconsObserved += query.observations.count
            $0.beaconsKnown += answer.beacons.count
            $0.attachments += answer.beacons.reduce(0) { $0 + ($1.attachments?.count ?? 0) }
        }
    }

    func noteForwarded() { counts.withLock { $0.forwarded += 1 } }

    func text(
        _ sizes: [ServiceSize], _ connections: ConnectionTable.Counts, _ refused: [Admission.Refused: Int]
    ) -> String {
        let now = counts.withLock { $0 }
        var text = MetricsText()
        addProjects(sizes, to: &text)
        addRequests(now, to: &text)
        addConnections(connections, to: &text)
        addAdmission(refused, to: &text)
        addReports(now, to: &text)
        return text.lines.joined(separator: "\n") + "\n"
    }

    private func addProjects(_ sizes: [ServiceSize], to text: inout MetricsText) {
        func each(_ name: String, _ kind: String, _ help: String, _ value: (ServiceSize) -> Int) {
            text.add(name, kind, help, sizes.map { ("project=\"\($0.project.id)\"", "\(value($0))") })
        }
        each("devices", "gauge", "Devices that are here.") { $0.devices }
        each("streams", "gauge", "Devices that listen for news.") { $0.streams }
        each("registrations_total", "counter", "Devices that have come.") { $0.counts.registrations }
        each("reports_total", "counter", "Reports taken.") { $0.counts.reports }
        each("tokens_granted_total", "counter", "Tokens given out.") { $0.counts.grants }
        each("tokens_valid_total", "counter", "Observed tokens that stand for a device.") {
            $0.counts.validTokens
        }
        each("tokens_invalid_total", "counter", "Observed tokens that do not.") { $0.counts.invalidTokens }
        each(
            "tokens_not_judged_total", "counter",
            "Observed tokens that were named too late, or over a budget."
        ) {
            $0.counts.unjudgedTokens
        }
        each(
            "tokens_suspect_total", "counter",
            "Tokens heard by more devices, or in more networks, than a room has."
        ) {
            $0.counts.suspectTokens
        }
        each("deliveries_total", "counter", "News for devices: found, updated, lost.") {
            $0.counts.deliveries
        }
        each("refusals_total", "counter", "Reports refused for too much of something.") { $0.counts.refusals }
    }

    private func addRequests(_ now: Counts, to text: inout MetricsText) {
        text.add(
            "responses_total", "counter", "Responses, by status.",
            now.statuses.sorted { $0.key < $1.key }.map { ("status=\"\($0.key)\"", "\($0.value)") })
        text.add(
            "forwarded_total", "counter", "Requests that another instance answered.",
            [("", "\(now.forwarded)")])
        for (name, help, value) in [
            ("beacon_queries_total", "Questions about beacons that were answered.", now.beaconQueries),
            ("beacons_observed_total", "Beacons in them.", now.beaconsObserved),
            ("beacons_known_total", "Those that were known to who asked.", now.beaconsKnown),
            ("attachments_total", "Attachments told.", now.attachments),
        ] { text.add(name, "counter", help, [("", "\(value)")]) }
    }

    private func addConnections(_ connections: ConnectionTable.Counts, to text: inout MetricsText) {
        for (name, kind, help, value) in [
            ("connections", "gauge", "Open connections.", connections.connections),
            (
                "connections_strangers", "gauge", "Those on which nobody has shown a known key or device.",
                connections.strangers
            ),
            (
                "connections_displaced_total", "counter", "Connections closed to make room for others.",
                connections.displaced
            ),
            (
                "connections_refused_total", "counter", "Connections for which there was no room.",
                connections.refused
            ),
        ] { text.add(name, kind, help, [("", "\(value)")]) }
    }

    private func addAdmission(_ refused: [Admission.Refused: Int], to text: inout MetricsText) {
        let values = Admission.Kind.allCases.flatMap { kind in
            // Nothing is known about who opens a connection.
            (kind == .connections ? [.idle] : Admission.Rank.allCases).map { rank in
                (
                    kind == .connections ? "reason=\"connections\"" : "reason=\"\(kind)\",rank=\"\(rank)\"",
                    "\(refused[.init(kind: kind, rank: rank)] ?? 0)"
                )
            }
        }
        text.add(
            "admission_refused_total", "counter", "What waited because too many devices came at once.",
            values)
    }

    private func addReports(_ now: Counts, to text: inout MetricsText) {
        let buckets = zip(Metrics.bounds, now.buckets).map { ("le=\"\($0)\"", "\($1)") }
        text.add("report_seconds", "histogram", "From a report to its answer.", [])
        text.lines += (buckets + [("le=\"+Inf\"", "\(now.reports)")]).map {
            "nearby_report_seconds_bucket{\($0)} \($1)"
        }
        text.lines += [
            "nearby_report_seconds_sum \(now.seconds)", "nearby_report_seconds_count \(now.reports)",
        ]
    }
}
