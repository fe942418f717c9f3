import Nearby

/// The status of an operation, as its app is notified of it.
final class OperationReport: Sendable {
    private let handler: HandlerBox<GNSOperationStatus>
    private let log: DebugLog
    private let name: String
    private let state = Locked<(status: GNSOperationStatus?, reason: String?)>((nil, "it is about to begin"))

    /// - Parameter name: "Publish" or "Subscribe", for the log.
    init(_ name: String, _ handler: HandlerBox<GNSOperationStatus>, log: DebugLog) {
        (self.name, self.handler, self.log) = (name, handler, log)
    }

    var status: GNSOperationStatus { state.withLock { $0.status ?? .inactive } }
    var reason: String? { state.withLock { $0.reason } }

    /// Sets the status. The handler is called if the status changes, and a line is logged if the reason
    /// changes.
    func become(_ status: GNSOperationStatus, because reason: String? = nil) {
        let before = state.withLock { state in
            defer { state = (status, reason) }
            return state
        }
        if let reason, reason != before.reason { log.say("\(name): Inactive: \(reason)") }
        if status != before.status { handler.call(status) }
    }

    func follow(_ status: OperationStatus) {
        switch status {
        case .inactive(let refusals): become(.inactive, because: refusals.words)
        case .starting: become(.starting)
        case .active: become(.active)
        case .expired: become(.inactive, because: "its time is over")
        }
    }

    /// Stops all calls of the handler.
    func close() { handler.close() }
}

extension [Medium: StrategySelection.Refusal] {
    /// The refusals in words, for example "audio: no such device; ble: it is switched off".
    fileprivate var words: String {
        if isEmpty { return "there is no medium" }
        return sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.words)" }.joined(separator: "; ")
    }
}

extension StrategySelection.Refusal {
    fileprivate var words: String {
        switch self {
        case .permission(.undecided): "the user has not decided"
        case .permission: "the user has not granted permission"
        case .background: "the app is in the background"
        case .obstacle(.missing): "there is no such device"
        case .obstacle(.forbidden): "it may not be used"
        case .obstacle(.poweredOff): "it is switched off"
        case .obstacle(.failing): "it does not work"
        case .obstacle(.heldBack): "it is held back for now"
        case .notAsked: "it is not asked for"
        }
    }
}
