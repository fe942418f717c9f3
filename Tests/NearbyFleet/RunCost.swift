import NearbyTestSupport

/// What a run has cost, by the kind of event.
struct RunCost {
    enum Kind: String {
        case registration, completeReport, changedSet, refill, streamBegins, streamEnds, otherDeadline
    }

    struct Entry: Encodable {
        var count = 0
        var seconds = 0.0
    }

    private(set) var entries: [Kind: Entry] = [:]
    /// The longest time that one event took.
    private(set) var longestSeconds = 0.0
    var count: Int { entries.values.reduce(0) { $0 + $1.count } }
    var seconds: Double { entries.values.reduce(0) { $0 + $1.seconds } }

    /// - Parameter begin: ``processorSeconds()`` at the beginning of the event.
    mutating func add(_ kind: Kind, since begin: Double) { add(kind, processorSeconds() - begin) }

    mutating func add(_ kind: Kind, _ seconds: Double) {
        entries[kind, default: Entry()].count += 1
        entries[kind, default: Entry()].seconds += seconds
        longestSeconds = max(longestSeconds, seconds)
    }
}
