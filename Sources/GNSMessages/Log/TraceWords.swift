import Nearby

/// A translator from an engine's trace to the lines that the original's log has for it. It is a value.
///
/// It names tokens by their first characters, because anybody could send a whole token that they read in a
/// log.
package struct TraceWords: Sendable {
    private var assignments: [Medium: MediumAssignment] = [:]
    private var heard: Set<Token> = []
    private var own: Set<Token> = []
    private var isRegistering = false
    private var sent: Report?

    private static let memory = 4096

    package init() {}

    package mutating func take(_ trace: EngineTrace) -> [String] {
        switch trace {
        case .did(.assign(let assignment, let medium)): assign(assignment, medium)
        case .did(.report(let report)): report.unregisters ? ["Report RPC request: Goodbye"] : send(report)
        case .did(.askBeacons(let question)):
            [TraceWords.request(beacons: question.ids.count, of: assignments)]
        case .did: []
        case .notifiedOfBeacons(let known):
            [
                "Report RPC response: "
                    + TraceWords.results(messages: known.reduce(0) { $0 + $1.attachments.count })
            ]
        case .happened(let event, let medium): happen(event, medium)
        case .answered(let answer): receive(answer)
        case .notified(let answer):
            answer.deliveries.isEmpty ? [] : ["Push: \(answer.deliveries.count) message(s)"]
        case .failed(let error): ["Report RPC: Failed: \(error)"]
        }
    }

    // MARK: Media

    private mutating func assign(_ assignment: MediumAssignment, _ medium: Medium) -> [String] {
        let before = assignments.updateValue(assignment, forKey: medium) ?? .idle
        if let token = assignment.broadcast?.token {
            if own.count >= TraceWords.memory { own = [] }
            own.insert(token)
        }
        var lines: [String] = []
        if (before.broadcast == nil) != (assignment.broadcast == nil) {
            lines.append(
                "\(medium.word): Broadcasting \(assignment.broadcast == nil ? "stopped" : "started")")
        }
        if before.isScanning != assignment.isScanning {
            lines.append("\(medium.word): Scanning \(assignment.isScanning ? "started" : "stopped")")
        }
        if (before.beacons == nil) != (assignment.beacons == nil) {
            lines.append("Beacon: \(assignment.beacons == nil ? "Stop" : "Start") scanning")
        }
        return lines
    }

    private mutating func happen(_ event: MediumEvent, _ medium: Medium) -> [String] {
        switch event {
        case .condition(let condition):
            ["broadcast": condition.broadcast, "scan": condition.scan].sorted { $0.key < $1.key }
                .compactMap { direction, obstacle in
                    obstacle.map { "\(medium.word): No \(direction): \($0)" }
                }
        case .held: ["\(medium.word): Broadcaster detected"]
        case .sent: isTakingTurns(on: medium) ? ["\(medium.word): No broadcaster detected"] : []
        case .sighted(let sighting): hear(sighting)
        case .beacon: []
        }
    }

    /// True if the medium sends in bursts, so that a frame was sent because the channel was free.
    private func isTakingTurns(on medium: Medium) -> Bool {
        if case .bursts = assignments[medium]?.broadcast?.cadence { true } else { false }
    }

    private mutating func hear(_ sighting: Sighting) -> [String] {
        guard case .token(let token) = sighting.payload, !own.contains(token) else { return [] }
        if heard.count >= TraceWords.memory { heard = [] }
        guard heard.insert(token).inserted else { return [] }
        let medium = sighting.medium == .ble ? "ble-adv" : sighting.medium.rawValue
        return ["Heard new token: {tokenId \(token.prefix), age \(sighting.age), [\(medium)]}"]
    }

    // MARK: Registry

    private mutating func send(_ report: Report) -> [String] {
        sent = report
        isRegistering = report.isComplete
        let counted: [(String, Int)] = [
            ("Publish", report.published.count), ("Subscribe", report.subscribed.count),
            ("End", report.ended.count),
        ]
        return (isRegistering ? ["RegisterDevice RPC request"] : [])
            + [TraceWords.request(tokens: report.observations.count, of: assignments)]
            + counted.filter { $0.1 > 0 }.map { "Report RPC request: \($0.0): \($0.1)" }
    }

    private static func request(
        tokens: Int = 0, beacons: Int = 0, of assignments: [Medium: MediumAssignment]
    ) -> String {
        let live = assignments.values.reduce(0) {
            $0 + ($1.broadcast == nil ? 0 : 1) + ($1.isScanning ? 1 : 0) + ($1.beacons == nil ? 0 : 1)
        }
        return "Report RPC request: \(tokens) token(s), \(beacons) beacon(s), \(live) directive(s)"
    }

    private static func results(
        directives: Int = 0, tokens: Int = 0, messages: Int, publications: Int = 0, subscriptions: Int = 0
    ) -> String {
        "\(directives) directive(s), \(tokens) token(s), \(messages) message(s), "
            + "\(publications) publication results(s), \(subscriptions) subscription results(s)"
    }

    private mutating func receive(_ answer: Answer) -> [String] {
        defer { (sent, isRegistering) = (nil, false) }
        let (good, bad) = (answer.tokens(.valid).count, answer.tokens(.invalid).count)
        let broadcast = assignments.values.count { $0.broadcast?.token != nil }
        return (isRegistering ? ["RegisterDevice RPC: Success"] : [])
            + [
                "Report RPC response: "
                    + TraceWords.results(
                        directives: answer.grants.count, tokens: good + bad,
                        messages: answer.deliveries.count,
                        publications: sent?.published.count ?? 0, subscriptions: sent?.subscribed.count ?? 0)
            ]
            + (good + bad > 0 ? ["Tokens: \(good) good, \(bad) bad, \(broadcast) broadcast"] : [])
    }
}

extension Medium {
    fileprivate var word: String {
        switch self {
        case .audio: "Audio"
        case .ble: "BLE"
        case .lan: "LAN"
        }
    }
}
