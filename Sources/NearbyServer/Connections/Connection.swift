import NIOCore
import Synchronization

/// One connection, as the code that answers its requests sees it. That code reports when the requester is
/// known and when it wants the body.
final class Connection: Sendable {
    /// The connection of the request that this task answers.
    @TaskLocal static var current: Connection?

    /// An event that is sent down the pipeline to ``RequestHandler``: it may read the body of the current
    /// request.
    struct BodyIsWanted: Sendable {}

    private struct State {
        var isKnown = false
        var isBodyWanted = false
        /// True while the handler does not read because nobody wants the body yet.
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

    /// Marks the connection as known: it is no stranger any more.
    ///
    /// - Parameter isExempt: True if another instance sends requests for many clients; shares of addresses do
    ///   not apply to it.
    func setKnown(isExempt: Bool = false) {
        let isNew = state.withLock { state in
            defer { state.isKnown = true }
            return !state.isKnown
        }
        if isNew || isExempt { table.setKnown(number, isExempt: isExempt) }
    }

    /// Asks for the body of the current request. If the client waits for `100 Continue`, the handler sends
    /// it.
    func wantBody() {
        let isWaiting = state.withLock { state in
            state.isBodyWanted = true
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if isWaiting { channel.triggerUserOutboundEvent(BodyIsWanted(), promise: nil) }
    }

    /// Closes the connection after the answer to the current request.
    func closeAfterAnswer() { state.withLock { $0.mustClose = true } }

    /// Counts a refused request on this connection.
    ///
    /// - Returns: The number of refused requests until now, including this one.
    func countRefusal() -> Int {
        state.withLock { state in
            state.refusals += 1
            return state.refusals
        }
    }

    /// The fault in the form of the current request; `nil` if it has none.
    var fault: RequestFault? { state.withLock { $0.fault } }

    // MARK: For its handler

    var isKnown: Bool { state.withLock { $0.isKnown } }
    var mustClose: Bool { state.withLock { $0.mustClose } }

    /// Returns true if the body is wanted. If it is not, ``wantBody()`` notifies the handler later.
    func isBodyWantedOrWait() -> Bool {
        state.withLock { state in
            if !state.isBodyWanted { state.isWaiting = true }
            return state.isBodyWanted
        }
    }

    /// Notes that a request begins.
    ///
    /// - Parameter fault: The fault in the form of the request; `nil` if it has none.
    func beginRequest(fault: RequestFault?) {
        state.withLock { ($0.isBodyWanted, $0.isWaiting, $0.fault) = (false, false, fault) }
        table.beginRequest(number)
    }

    func endRequest() { table.endRequest(number) }

    func addBody(_ bytes: Int) throws(ConnectionTable.Refusal) { try table.addBody(bytes, to: number) }
}
