import Glibc
import NIOCore
import NIOPosix
import NearbyTestSupport

/// A proxy that carries TCP connections to a server until it is cut.
///
///     device ──→ port ──│ Gate │──→ server
///            ←──        │ Gate │←──
package final class CutProxy: Sendable {
    package enum Cut: String, Sendable, CaseIterable {
        /// Nothing passes, and nobody is notified, as with a pulled cable. Data sent meanwhile arrive
        /// ``lateness`` after the end of the cut, because TCP repeats unacknowledged data.
        case silence
        /// Data that devices send arrive, but the answers never do.
        case answers
        /// All connections are lost, and so is every new one.
        case resets
    }

    /// The delay of held data, which is longer than that of data on new connections.
    package static let lateness = TimeAmount.seconds(1)

    final class State: Sendable {
        let cut = Locked<Cut?>(nil)
        let gates = Locked<[ObjectIdentifier: Gate]>([:])
    }

    private let channel: any Channel
    private let state = State()

    package var port: Int { channel.localAddress!.port! }

    package init(to host: String, port: Int) async throws {
        let state = state
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { near in
                near.eventLoop.makeCompletedFuture { try CutProxy.connect(near, host, port, state) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    private static func connect(_ near: any Channel, _ host: String, _ port: Int, _ state: State) throws {
        let (fromDevice, fromServer) = (Gate(.fromDevice, state), Gate(.fromServer, state))
        try near.pipeline.syncOperations.addHandler(fromDevice)
        ClientBootstrap(group: near.eventLoop)
            .channelInitializer { far in
                far.eventLoop.makeCompletedFuture { try far.pipeline.syncOperations.addHandler(fromServer) }
            }
            .connect(host: host, port: port).whenComplete { result in
                switch result {
                case .success(let far):
                    fromDevice.open(to: far)
                    fromServer.open(to: near)
                case .failure: Gate.reset(near)
                }
            }
    }

    package func begin(_ cut: Cut) {
        state.cut.withLock { $0 = cut }
        if cut == .resets { for gate in gates { gate.reset() } }
    }

    package func end() {
        let ended = state.cut.withLock { cut in
            defer { cut = nil }
            return cut
        }
        for gate in gates { ended == .silence ? gate.release(after: CutProxy.lateness) : gate.reset() }
    }

    package func close() async {
        try? await channel.close()
        for gate in gates { gate.reset() }
    }

    private var gates: [Gate] { state.gates.withLock { Array($0.values) } }
}

/// One direction of one connection, on one event loop with the other direction.
// Everything happens on that loop, except for requests to it.
final class Gate: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer

    enum Direction {
        case fromDevice, fromServer
    }

    private let direction: Direction
    private let state: CutProxy.State
    private var own: (any Channel)?
    private var other: (any Channel)?
    private var held: [ByteBuffer] = []
    private var isEnded = false
    /// True if data were held back, which the following data must not overtake.
    private var isHeld = false

    init(_ direction: Direction, _ state: CutProxy.State) {
        (self.direction, self.state) = (direction, state)
    }

    func channelActive(context: ChannelHandlerContext) { begin(context.channel) }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context.channel) }
    }

    private func begin(_ channel: any Channel) {
        guard own == nil else { return }
        own = channel
        state.gates.withLock { $0[ObjectIdentifier(self)] = self }
        if state.cut.withLock({ $0 }) == .resets { Gate.reset(channel) }
    }

    /// Opens the gate to its destination.
    func open(to channel: any Channel) {
        other = channel
        pass()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        held.append(unwrapInboundIn(data))
        pass()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isEnded = true
        pass()
        // Data that were sent before the end may still arrive late.
        if held.isEmpty { forget() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func pass() {
        guard let other else { return }
        switch state.cut.withLock({ $0 }) {
        case .silence:
            isHeld = true
            return
        case .answers where direction == .fromServer:
            held = []
            return
        case .answers, .resets, nil: break
        }
        guard !isHeld else { return }
        for buffer in held { other.write(buffer, promise: nil) }
        held = []
        other.flush()
        if isEnded {
            other.close(promise: nil)
            forget()
        }
    }

    private func forget() { state.gates.withLock { $0[ObjectIdentifier(self)] = nil } }

    func release(after time: TimeAmount) {
        own?.eventLoop.scheduleTask(in: time) {
            guard self.state.cut.withLock({ $0 }) != .silence else { return }
            self.isHeld = false
            self.pass()
        }
    }

    func reset() { own.map(Gate.reset) }

    static func reset(_ channel: any Channel) {
        let socket = channel as? any SocketOptionProvider
        let option = socket?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        (option ?? channel.eventLoop.makeSucceededVoidFuture()).whenComplete { _ in
            channel.close(promise: nil)
        }
    }
}
