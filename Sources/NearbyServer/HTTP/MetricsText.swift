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
}
