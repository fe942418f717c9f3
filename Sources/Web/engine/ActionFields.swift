import Nearby

// The engine's actions as records. `fields.js` reads them.

extension RecordWriter {
    mutating func put(_ action: EngineAction, _ envelope: WebEngine.Envelope) {
        switch action {
        case .assign(let assignment, let medium):
            put(code: 1)
            put(medium, Codes.media)
            put(assignment)
        case .report(let report):
            put(code: 2)
            put(report, envelope)
        case .deliver(let event, let id):
            put(code: 3)
            put(id)
            put(event)
        case .operation(let status, let id):
            put(code: 4)
            put(id)
            put(status)
        case .status(let status):
            put(code: 5)
            put(status)
        case .askPermission(let id):
            put(code: 6)
            put(id)
        // Only BLE hears beacons, and a page has none.
        case .askBeacons: put(code: 7)
        }
    }

    private mutating func put(_ assignment: MediumAssignment) {
        put(assignment.isScanning)
        put(assignment.isInBackground)
        put(assignment.broadcast) { writer, broadcast in
            writer.put(list: broadcast.payloads) { writer, payload in
                writer.put(code: payload.code)
                writer.put(payload.frame)
            }
            writer.put(broadcast.profile == .near)
            let listening: ClosedRange<Duration>? =
                if case .bursts(let listening) = broadcast.cadence { listening } else { nil }
            writer.put(listening) { writer, listening in
                writer.put(listening.lowerBound)
                writer.put(listening.upperBound)
            }
        }
    }

    private mutating func put(_ event: SubscriptionEvent) {
        switch event {
        case .found(let discovery): put(1, discovery)
        case .updated(let discovery): put(2, discovery)
        case .lost(let discovery): put(3, discovery)
        case .heardBytes(let bytes):
            put(code: 4)
            put(bytes.bytes)
        case .expired: put(code: 5)
        }
    }

    private mutating func put(_ code: UInt8, _ discovery: Discovery) {
        put(code: code)
        put(name: discovery.id.bits)
        put(discovery.message)
    }

    // MARK: Status

    private mutating func put(_ status: OperationStatus) {
        switch status {
        case .inactive(let refusals):
            put(code: 0)
            put(list: refusals.inOrder) { writer, one in
                writer.put(one.key, Codes.media)
                writer.put(one.value)
            }
        case .starting: put(code: 1)
        case .active: put(code: 2)
        case .expired: put(code: 3)
        }
    }

    private mutating func put(_ refusal: StrategySelection.Refusal) {
        switch refusal {
        case .permission(let permission):
            put(code: 0)
            put(permission, Codes.permissions)
        case .background: put(code: 1)
        case .obstacle(let obstacle):
            put(code: 2)
            put(obstacle, Codes.obstacles)
        case .notAsked: put(code: 3)
        }
    }

    private mutating func put(_ status: EngineStatus) {
        put(status.permission, Codes.permissions)
        put(status.isInBackground)
        put(list: status.media.inOrder) { writer, one in
            writer.put(one.key, Codes.media)
            writer.put(one.value.condition)
            writer.put(one.value.isBroadcasting)
            writer.put(one.value.isScanning)
            writer.put(one.value.isUnheard)
            writer.put(count: one.value.neighbours)
        }
        put(status.registryError) { writer, error in
            writer.put(code: error.code)
            writer.put(error.description)
        }
    }

    // MARK: Report

    /// Writes a report without its sealed frames: only the registry in this module uses them.
    private mutating func put(_ report: Report, _ envelope: WebEngine.Envelope) {
        let published = report.published.inOrder
        put(list: published.filter { $0.value.message != nil }) { writer, one in
            writer.put(one.key)
            if let message = one.value.message { writer.put(message) }
            writer.put(one.value.strategy)
        }
        put(list: report.subscribed.inOrder) { writer, one in
            writer.put(one.key)
            writer.put(
                list: one.value.filter.rules.filter { $0 != .audioBytes }.ordered(
                    by: MessageFilter.Rule.precedes)
            ) { $0.put($1) }
            writer.put(one.value.strategy)
        }
        put(list: report.ended.ordered()) { $0.put($1) }
        put(list: report.observations) { writer, one in
            writer.put(name: one.token.bits)
            writer.put(one.medium, Codes.media)
            writer.put(one.age)
            writer.put(one.signal)
        }
        put(list: report.playing) { writer, one in
            writer.put(name: one.token.bits)
            writer.put(one.medium, Codes.media)
            writer.put(one.period)
        }
        put(code: mask(report.wantsTokens))
        put(report.takesTokensAhead)
        put(report.isComplete)
        put(report.unregisters)
        put(report.observationsAreComplete)
        put(envelope.mailbox) { $0.put($1) }
        put(Double(envelope.takenNews))
        put(Double(envelope.number))
    }
}

extension Sighting.Payload {
    fileprivate var code: UInt8 {
        switch self {
        case .token: 0
        case .audioBytes: 1
        case .sealed: 2
        }
    }
}

extension RegistryError {
    fileprivate var code: UInt8 {
        switch self {
        case .unreachable: 0
        case .unknownDevice: 1
        case .rateLimited: 2
        case .refused: 3
        case .notReady: 4
        }
    }
}

extension MessageFilter.Rule {
    /// Orders rules by their records, because a set has no order and a record has.
    fileprivate static func precedes(_ one: Self, _ other: Self) -> Bool {
        var (first, second) = (RecordWriter(), RecordWriter())
        first.put(one)
        second.put(other)
        return first.bytes.lexicographicallyPrecedes(second.bytes)
    }
}
