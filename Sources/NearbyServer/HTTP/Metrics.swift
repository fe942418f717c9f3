import Nearby
import NearbyService
import NearbyWire
import Synchronization

/// Counters and one histogram, in Prometheus's text format (version 0.0.4).
final class Metrics: Sendable {
    private struct Counts {
        var statuses: [Int: Int] = [:]
        var reports = DurationHistogram()
        var forwarded = 0
        var beaconQueries = 0
        var beaconsObserved = 0
        var beaconsKnown = 0
        var attachments = 0
    }

    private let counts = Mutex(Counts())

    func note(status: Int) { counts.withLock { $0.statuses[status, default: 0] += 1 } }

    func note(report duration: Duration) { counts.withLock { $0.reports.note(duration) } }

    func note(_ query: WireBeaconQuery, _ answer: WireBeaconAnswer) {
        counts.withLock {
            $0.beaconQueries += 1
            $0.beaconsObserved += query.observations.count
            $0.beaconsKnown += answer.beacons.count
            $0.attachments += answer.beacons.reduce(0) { $0 + ($1.attachments?.count ?? 0) }
        }
    }

    func noteForwarded() { counts.withLock { $0.forwarded += 1 } }

    /// - Parameters:
    ///   - handshakes: The number of TLS handshakes that were begun.
    ///   - isDraining: True if the server is ending.
    func text(
        _ sizes: [ServiceSize], _ connections: ConnectionTable.Counts, _ refused: [Admission.Refused: Int],
        handshakes: Int, isDraining: Bool
    ) -> String {
        let now = counts.withLock { $0 }
        var text = MetricsText()
        text.add(sizes)
        addRequests(now, to: &text)
        addConnections(connections, to: &text)
        addAdmission(refused, to: &text)
        text.add("report_seconds", "From a report to its answer.", [("", now.reports)])
        text.add("tls_handshakes_total", "counter", "TLS handshakes begun.", [("", "\(handshakes)")])
        text.add("draining", "gauge", "1 if the server is ending.", [("", isDraining ? "1" : "0")])
        return text.lines.joined(separator: "\n") + "\n"
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
}
