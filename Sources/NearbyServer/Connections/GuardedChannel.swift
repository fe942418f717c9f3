import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL
import NearbyService

/// HTTP/1.1 on a connection that ``ConnectionTable`` has admitted, encrypted or not.
///
///     socket ── ConnectionAbortHandler ── (TLS) ── HTTP ── RequestHandler ──→
///     ──→ WholeRequestHandler ── Hummingbird
struct GuardedChannel: ServerChildChannel {
    /// A connection and its requests.
    struct Value: ServerChildChannelValue {
        let requests: HTTP1Channel.Value
        let connection: Connection

        var channel: any Channel { requests.channel }
    }

    /// The longest time that a connection waits for its turn. A client that has waited longer gives up.
    private static let longestTurn = Duration.seconds(3)
    private static let tooMany = "connections refused: too many at once"
    private static let noRoom = "connections closed or refused: no room for more"

    let responder: HTTPChannelHandler.Responder
    /// Answers the requests of ``WholeRequestHandler``; with `nil` Hummingbird answers all.
    var wholeRequests: WholeRequestResponder?
    let table: ConnectionTable
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
            number = try admit(channel, cut)
        } catch {
            log.warn(GuardedChannel.noRoom)
            return channel.close().flatMap { channel.eventLoop.makeFailedFuture(error) }
        }
        let connection = Connection(channel, in: table, number: number)
        channel.closeFuture.whenComplete { [table, delays] _ in
            table.remove(number)
            if !connection.isKnown, !isExempt { delays?.noteStranger(from: address) }
        }
        let punishment = isExempt ? .zero : delays?.beginWait(ofConnectionFrom: address) ?? .zero
        let delay = max(punishment, turn ?? .zero)
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(cut.value)
        }.flatMap {
            guard delay > .zero else { return channel.eventLoop.makeSucceededVoidFuture() }
            // Nothing is registered for the connection yet, so a closed connection is noticed only after the
            // wait.
            cut.value.isWaiting = true
            return channel.eventLoop.scheduleTask(in: TimeAmount(delay)) {
                cut.value.isWaiting = false
                if punishment > .zero { delays?.endWait(ofConnectionFrom: address) }
            }.futureResult
        }.flatMapThrowing {
            if let tls {
                try channel.pipeline.syncOperations.addHandler(tls.makeHandler())
            }
        }.flatMap {
            let rules = NIOLoopBound(ProtocolHandler(), eventLoop: channel.eventLoop)
            let handler = NIOLoopBound(
                RequestHandler(connection, table.limits, cut: cut.value, rules: rules.value),
                eventLoop: channel.eventLoop)
            let whole = NIOLoopBound(
                wholeRequests.map { WholeRequestHandler($0, connection, rules: rules.value) },
                eventLoop: channel.eventLoop)
            return HTTP1Channel(
                responder: responder,
                configuration: .init(
                    additionalChannelHandlers: [handler.value] + (whole.value.map { [$0] } ?? []))
            ).setup(channel: channel, logger: logger).flatMapThrowing { value in
                let pipeline = channel.pipeline.syncOperations
                let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
                try pipeline.addHandler(rules.value, position: .before(codec))
                return value
            }
        }.map { Value(requests: $0, connection: connection) }
    }

    /// A connection was refused because its turn is too far away.
    private struct NoTurn: Error {}

    private func admit(
        _ channel: any Channel, _ cut: NIOLoopBound<ConnectionAbortHandler>
    ) throws(ConnectionTable.Refusal) -> Int {
        let address = channel.remoteAddress.flatMap { IPAddress($0) }
        let (number, displaced) = try table.admit(
            from: address, isExempt: address.map(proxies.contains) ?? false
        ) { channel.eventLoop.execute { cut.value.cut() } }
        if displaced > 0 { log.warn(GuardedChannel.noRoom, count: displaced) }
        return number
    }

    func handle(value: Value, logger: Logger) async {
        await Connection.$current.withValue(value.connection) {
            await HTTP1Channel(responder: responder).handle(value: value.requests, logger: logger)
        }
    }
}
