import NIOCore
import NearbyService
import Synchronization

/// One connection, as the code that answers its requests sees it. That code reports when the requester is
/// known and when it wants the body.
final class Connection: Sendable {
    /// The connection of the request that this task answers.
    @TaskLocal static var current: Connection?

    /// An event that is sent down the pipeline to ``RequestHandler``: it may read the body of the current
    /// request.
    struct BodyIsWanted: Sendable {}
    /// An event that is sent down the pipeline to ``RequestHandler``, and from there to ``DecoderHandler``:
    /// the answer lasts until the client ends it.
    struct AnswerIsStream: Sendable {}

    /// The parsed credential and network of the last request, which are mostly those of the next one.
    private struct Requester {
        var bearer: Substring?
        var address: String
        var credential: DeviceCredential?
        var client: ClientNetwork
    }

    private struct State {
        var requester: Requester?
        var isKnown = false
        var isBodyWanted = false
        /// True while the handler does not read because nobody wants the body yet.
        var isWaiting = false
        var fault: RequestFault?
        var refusals = 0
        var mustClose = false
        /// True if the client did not answer any more.
        var isDead = false
        var probes: ConnectionProbes?
        /// Called when the client ends the stream that is the answer; `nil` unless the answer is a stream.
        var streamEnded: (@Sendable () -> Void)?
    }

    /// The address at the other end, without its port, and the same parsed; `nil` if it is none of a network.
    let peerAddress: String
    let peer: IPAddress?
    private let channel: any Channel
    /// The channel's socket, which is closed on its event loop; `nil` if it has none.
    private let socket: NIOBSDSocket.Handle?
    private let table: ConnectionTable
    private let number: Int
    private let state = Mutex(State())

    /// Call it on the channel's event loop.
    init(_ channel: any Channel, in table: ConnectionTable, number: Int) {
        (self.channel, self.table, self.number) = (channel, table, number)
        socket = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { $0 }
        peerAddress = channel.remoteAddress?.ipAddress ?? "local"
        peer = IPAddress(peerAddress)
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

    /// Returns the credential and the network of a request, parsed once for all requests that say the same.
    func requester(
        _ bearer: Substring?, at address: String
    ) -> (credential: DeviceCredential?, client: ClientNetwork) {
        let known = state.withLock { $0.requester }
        if let known, known.bearer == bearer, known.address == address {
            return (known.credential, known.client)
        }
        let client = known?.address == address ? known?.client : nil
        let new = Requester(
            bearer: bearer, address: address, credential: bearer.flatMap { DeviceCredential($0) },
            client: client ?? ClientNetwork(address))
        state.withLock { $0.requester = new }
        return (new.credential, new.client)
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

    /// Notes that the answer to the current request is a stream. The connection then reads on, and sees the
    /// end that the client makes.
    ///
    /// - Parameter ended: Called when the client has closed or lost the connection.
    func openStream(ended: @escaping @Sendable () -> Void) {
        state.withLock { $0.streamEnded = ended }
        channel.triggerUserOutboundEvent(AnswerIsStream(), promise: nil)
    }

    /// Sets how closely the kernel watches whether the client is there. A kernel that refuses an option keeps
    /// its own times.
    func setProbes(_ probes: ConnectionProbes) {
        let isNew = state.withLock { state in
            defer { state.probes = probes }
            return state.probes != probes
        }
        if isNew { probes.set(on: channel) }
    }

    /// Returns false if the client owes the kernel an answer to a probe. Call it on the connection's event
    /// loop, where the socket cannot be closed meanwhile.
    func answersProbes() -> Bool {
        guard channel.isActive, let socket, let probes = state.withLock({ $0.probes }) else { return true }
        return probes.areAnswered(on: socket)
    }

    /// Runs a closure on the connection's event loop.
    func onLoop<Value: Sendable>(_ work: @escaping @Sendable (Connection) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            channel.eventLoop.execute { continuation.resume(returning: work(self)) }
        }
    }

    /// True if the client did not answer the kernel's probes, or what was sent to it.
    var isDead: Bool { state.withLock { $0.isDead } }
    func setDead() { state.withLock { $0.isDead = true } }

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
        state.withLock {
            ($0.isBodyWanted, $0.isWaiting, $0.fault, $0.streamEnded) = (false, false, fault, nil)
        }
        table.beginRequest(number)
    }

    /// Ends the stream that is the answer, if it is one: the client is gone.
    func endStream() {
        let ended = state.withLock { state in
            defer { state.streamEnded = nil }
            return state.streamEnded
        }
        ended?()
    }

    func endRequest() { table.endRequest(number) }

    func addBody(_ bytes: Int) throws(ConnectionTable.Refusal) { try table.addBody(bytes, to: number) }
}
