import Nearby
import Synchronization

/// A log of the events of a box's engine, in order: it counts them and decides which messages arrive.
///
/// The engine's trace feeds it, not the engine's streams. Only the trace gives the order of two events such
/// as a registry that forgets and a message that is found.
final class DeliveryLog: Sendable {
    struct Page {
        var inbox = Inbox()
        var counts = BoxCounts()
        var token: Token?
        /// The statuses of the present engine's operations.
        var operations: [OperationID: OperationStatus] = [:]
    }

    private let page = Mutex(Page())
    private let messages: AsyncStream<BoxMessage>.Continuation

    init(_ messages: AsyncStream<BoxMessage>.Continuation) { self.messages = messages }

    var counts: BoxCounts {
        page.withLock { page in
            var counts = page.counts
            counts.repeats = page.inbox.repeatCount
            return counts
        }
    }

    /// True if the registry knows all of the box's operations.
    var isKnown: Bool {
        page.withLock { page in
            !page.operations.isEmpty && page.operations.values.allSatisfy { $0 == .active }
        }
    }

    /// Forgets the operations, because another engine follows. If `forgets` is true, its registry gives
    /// everything another name.
    func engineChanged(forgets: Bool) {
        page.withLock { page in
            page.operations = [:]
            if forgets { page.inbox.registryForgot() }
        }
    }

    /// Forgets an operation that has ended.
    func ended(_ id: OperationID) { page.withLock { $0.operations[id] = nil } }

    func note(_ trace: EngineTrace, now: Instant) {
        let arrived = page.withLock { $0.note(trace, now: now) }
        if let arrived { messages.yield(arrived) }
    }
}

extension DeliveryLog.Page {
    fileprivate mutating func note(_ trace: EngineTrace, now: Instant) -> BoxMessage? {
        switch trace {
        case .happened(.sent, on: _):
            counts.framesSent += 1
            counts.lastFrame = now
        case .happened(.sighted(let sighting), on: _):
            if sighting.payload != token.map({ .token($0) }) { counts.framesHeard += 1 }
        case .failed(let error): note(error)
        case .did(.assign(let assignment, to: .audio)):
            guard let new = assignment.broadcast?.token, new != token else { return nil }
            if token != nil { counts.rotations += 1 }
            (token, counts.lastRotation) = (new, now)
        case .did(.operation(let status, of: let id)): operations[id] = status
        case .did(.deliver(let event, to: _)):
            guard let message = inbox.take(event, now: now) else { return nil }
            counts.messages += 1
            return message
        case .answered(let answer), .notified(let answer):
            for delivery in answer.deliveries where delivery.change != .lost {
                inbox.confirm(delivery.discovery.id)
            }
        case .happened, .notifiedOfBeacons, .did: break
        }
        return nil
    }

    private mutating func note(_ error: RegistryError) {
        counts.registryFailures += 1
        switch error {
        // A registry that does not answer may come back without its memory, and then with other names for
        // everything.
        case .unknownDevice, .unreachable: inbox.registryForgot()
        case .rateLimited, .refused, .notReady: break
        }
    }
}
