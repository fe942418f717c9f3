import NIOCore
import Synchronization

/// One connection, for those who answer its requests: they say who asks, and when they want the body.
final class Connection: Sendable {
    /// The connection of the request that this task answers.
    @TaskLocal static var current: Connection?

    /// Sent down the pipeline to ``RequestHandler``: the body of the current request may be read.
    struct BodyIsWanted: Sendable {}

    private struct State {
        var isKnown = false
        var isBodyWanted = false
        /// The handler reads no more until the body is wanted.
        var isWaiting = false
        var fault: RequestFault?
        var refusals = 0
        var mustClose = false
    }

    private let channel: any Channel
    private let table: ConnectionTable
    private let number: Int
    private let state = Mutex(State())

    init(_ channel: any Channel, in table: ConnectionTable, number: Int) {
        (self.channel, self.table, self.number) = (channel, table, number)
    }

    // MARK: For who answers

    /// Whoever asks is known: the connection is not a stranger's any more.
    ///
    /// - Parameter isExempt: another instance asks, for many clients; shares of addresses do not hold for it.
    func setKnown(isExempt: Bool = false) {
        let isNew = state.withLock { state in
            defer { state.isKnown = true }
            return !state.isKnown
        }
        if isNew || isExempt { table.setKnown(number, isExempt: isExempt) }
    }

    /// The body of the current request is to be read, and `100 Continue` sent if the client waits for it.
    func wantBody() {
        let isWaiting = state.withLock { state in
            state.isBodyWanted = true
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if isWaiting { channel.triggerUserOutboundEvent(BodyIsWanted(), promise: nil) }
    }

    /// The connection closes after the answer to the current request.
    func closeAfterAnswer() { state.withLock { $0.mustClose = true } }

    /// A request on this connection was refused.
    ///
    /// Returns: how many were until now.
    func countRefusal() -> Int {
        state.withLock { state in
            state.refusals += 1
            return state.refusals
        }
    }

    /// How the current request is written is wrong; nil: nothing is.
    var fault: RequestFault? { state.withLock { $0.fault } }

    // MARK: For its handler

    var isKnown: Bool { state.withLock { $0.isKnown } }
    var mustClose: Bool { state.withLock { $0.mustClose } }

    /// Whether the body is wanted; if it is not, ``wantBody()`` tells the handler.
    func isBodyWantedOrWait() -> Bool {
        state.withLock { state in
            if !state.isBodyWanted { state.isWaiting = true }
            return state.isBodyWanted
        }
    }

    /// - Parameter fault: of how the request is written; nil: none.
    func beginRequest(fault: RequestFault?) {
        state.withLock { ($0.isBodyWanted, $0.isWaiting, $0.fault) = (false, false, fault) }
        table.beginRequest(number)
    }

    func endRequest() { table.endRequest(number) }

    func addBody(_ bytes: Int) throws(ConnectionTable.Refusal) { try table.addBody(bytes, to: number) }
}
