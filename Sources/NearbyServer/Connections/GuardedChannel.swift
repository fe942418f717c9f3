import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOSSL
import NearbyService

/// HTTP/1.1 on a connection that ``ConnectionTable`` has admitted, encrypted or not.
///
///     socket ── ConnectionAbortHandler ── (TLS) ── HTTP ── RequestHandler ──→
///     ──→ WholeRequestHandler ── HummingbirdHandler ── (Hummingbird)
struct GuardedChannel: ServerChildChannel {
    /// A connection, whose handlers do everything.
    struct Value: ServerChildChannelValue { let channel: any Channel }

    /// The longest time that a connection waits for its turn. A client that has waited longer gives up.
    private static let longestTurn = Duration.seconds(3)
    private static let tooMany = "connections refused: too many at once"
    /// The bytes that a connection reads at first: a stream of events keeps them, and its request is shorter.
    private static let firstRead = 512
    private static let noRoom = "connections closed or refused: no room for more"

    let responder: HTTPChannelHandler.Responder
    /// Answers the requests of ``WholeRequestHandler``; with `nil` Hummingbird answers all.
    var wholeRequests: WholeRequestResponder?
    let table: ConnectionTable
    private let tasks = ConnectionTasks()
    let log: LimitedLog
    /// Delays new connections from addresses that were refused often; with `nil` no connection is delayed.
    let delays: RefusalDelays?
    /// Admits a connection from an address: returns `nil`, or the time until its turn. With `nil` all
    /// connections are admitted.
    var admission: (@Sendable (String) -> Duration?)?
    /// The certificate and the key; with `nil` the server speaks plain HTTP.
    let tls: TLSContexts?
    /// The trusted proxies. They carry many clients, so shares of addresses do not apply to them.
    var proxies = TrustedProxies()

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let cut = NIOLoopBound(ConnectionAbortHandler(), eventLoop: channel.eventLoop)
        let address = channel.remoteAddress.flatMap { IPAddress($0) }
        let isExempt = address.map(proxies.contains) ?? false
        // Nothing is spent on the connection before its turn, least of all a TLS handshake.
        let turn = isExempt ? nil : admission?(channel.remoteAddress?.ipAddress ?? "local")
        if let turn, turn > GuardedChannel.longestTurn {
            log.warn(GuardedChannel.tooMany)
            return channel.close().flatMap { channel.eventLoop.makeFailedFuture(NoTurn()) }
        }
        let number: Int
        do throws(ConnectionTable.Refusal) {
            number = try admit(channel, from: address, isExempt: isExempt, cut)
        } catch {
            log.warn(GuardedChannel.noRoom)
            return channel.close().flatMap { channel.eventLoop.makeFailedFuture(error) }
        }
        let connection = Connection(channel, in: table, number: number)
        tasks.beginConnection()
        channel.closeFuture.whenComplete { [table, tasks, delays] _ in
            table.remove(number)
            tasks.endConnection()
            if !connection.isKnown, !isExempt { delays?.noteStranger(from: address) }
        }
        let punishment = isExempt ? .zero : delays?.beginWait(ofConnectionFrom: address) ?? .zero
        let delay = max(punishment, turn ?? .zero)
        let begin = { @Sendable in
            try addHandlers(to: channel, connection, cut: cut.value, logger)
            return Value(channel: channel)
        }
        do { try channel.pipeline.syncOperations.addHandler(cut.value) } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        guard delay > .zero else { return channel.eventLoop.makeCompletedFuture(withResultOf: begin) }
        // Nothing is registered for the connection yet, so a closed connection is noticed only after the
        // wait.
        cut.value.isWaiting = true
        return channel.eventLoop.scheduleTask(in: TimeAmount(delay)) {
            cut.value.isWaiting = false
            if punishment > .zero { delays?.endWait(ofConnectionFrom: address) }
            return try begin()
        }.futureResult
    }

    /// Adds all handlers but the first. Call it on the event loop.
    private func addHandlers(
        to channel: any Channel, _ connection: Connection, cut: ConnectionAbortHandler, _ logger: Logger
    ) throws {
        try channel.syncOptions?.setOption(
            .recvAllocator,
            value: AdaptiveRecvByteBufferAllocator(
                minimum: 64, initial: GuardedChannel.firstRead, maximum: 64 << 10))
        let pipeline = channel.pipeline.syncOperations
        if let tls { try pipeline.addHandler(tls.makeHandler()) }
        let rules = ProtocolHandler()
        let requests = RequestHandler(connection, table.limits, cut: cut, rules: rules)
        try pipeline.addHandlers([HTTPResponseEncoder(), DecoderHandler(), rules, requests])
        if let wholeRequests {
            try pipeline.addHandler(WholeRequestHandler(wholeRequests, connection, requests))
        }
        try pipeline.addHandler(
            HummingbirdHandler { channel in
                let requests = try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
                    wrappingChannelSynchronously: channel,
                    configuration: .init(isOutboundHalfClosureEnabled: true))
                tasks.add {
                    await Connection.$current.withValue(connection) {
                        await HTTP1Channel(responder: responder).handle(value: requests, logger: logger)
                    }
                }
            })
    }

    /// A connection was refused because its turn is too far away.
    private struct NoTurn: Error {}

    private func admit(
        _ channel: any Channel, from address: IPAddress?, isExempt: Bool,
        _ cut: NIOLoopBound<ConnectionAbortHandler>
    ) throws(ConnectionTable.Refusal) -> Int {
        let (number, displaced) = try table.admit(from: address, isExempt: isExempt) {
            channel.eventLoop.execute { cut.value.cut() }
        }
        if displaced > 0 { log.warn(GuardedChannel.noRoom, count: displaced) }
        return number
    }

    func handle(value: Value, logger: Logger) async { await tasks.run() }
}
