import NearbyService

/// Metrics in Prometheus's text format, line by line.
struct MetricsText {
    var lines: [String] = []

    /// Adds a metric's description and its values. The labels of a value may be empty.
    mutating func add(
        _ name: String, _ kind: String, _ help: String, _ values: [(labels: String, value: String)]
    ) {
        lines += ["# HELP nearby_\(name) \(help)", "# TYPE nearby_\(name) \(kind)"]
        lines += values.map { "nearby_\(name)\($0.labels.isEmpty ? "" : "{\($0.labels)}") \($0.value)" }
    }

    /// Adds a histogram for each of the labels, which may be empty.
    mutating func add(
        _ name: String, _ help: String, _ values: [(labels: String, histogram: DurationHistogram)]
    ) {
        add(name, "histogram", help, [])
        for (labels, histogram) in values {
            let more = labels.isEmpty ? "" : labels + ","
            let whole = labels.isEmpty ? "" : "{\(labels)}"
            lines += zip(DurationHistogram.bounds, histogram.buckets).map {
                "nearby_\(name)_bucket{\(more)le=\"\($0)\"} \($1)"
            }
            lines += [
                "nearby_\(name)_bucket{\(more)le=\"+Inf\"} \(histogram.count)",
                "nearby_\(name)_sum\(whole) \(histogram.seconds)",
                "nearby_\(name)_count\(whole) \(histogram.count)",
            ]
        }
    }
}
