import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOSSL

/// HTTP/1.1 on a connection that ``ConnectionTable`` has admitted, encrypted or not.
///
///     socket ── CutHandler ── (TLS) ── HTTP ── RequestHandler ── who answers
struct GuardedChannel: ServerChildChannel {
    /// A connection, and its requests.
    struct Value: ServerChildChannelValue {
        let requests: HTTP1Channel.Value
        let connection: Connection

        var channel: any Channel { requests.channel }
    }

    let responder: HTTPChannelHandler.Responder
    let table: ConnectionTable
    let log: LimitedLog
    /// Nil: plain HTTP.
    let tls: TLSContexts?
    /// Proxies carry many clients: shares of addresses do not hold for them.
    var proxies = TrustedProxies()

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let cut = NIOLoopBound(CutHandler(), eventLoop: channel.eventLoop)
        let number: Int
        do throws(ConnectionTable.Refusal) {
            number = try admit(channel, cut)
        } catch {
            log.warn("connections refused: no room")
            return channel.close().flatMap { channel.eventLoop.makeFailedFuture(error) }
        }
        channel.closeFuture.whenComplete { [table] _ in table.remove(number) }
        let connection = Connection(channel, in: table, number: number)
        let handler = NIOLoopBound(
            RequestHandler(connection, table.limits, cut: cut.value), eventLoop: channel.eventLoop)
        let http = HTTP1Channel(
            responder: responder,
            configuration: .init(additionalChannelHandlers: [handler.value]))
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(cut.value)
            if let tls {
                try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls.current))
            }
        }.flatMap {
            http.setup(channel: channel, logger: logger)
        }.map { Value(requests: $0, connection: connection) }
    }

    private func admit(
        _ channel: any Channel, _ cut: NIOLoopBound<CutHandler>
    ) throws(ConnectionTable.Refusal) -> Int {
        let address = channel.remoteAddress.flatMap { IPAddress($0) }
        let (number, displaced) = try table.admit(
            from: address, isExempt: address.map(proxies.contains) ?? false
        ) { channel.eventLoop.execute { cut.value.cut() } }
        if displaced > 0 { log.warn("connections closed to make room for others", count: displaced) }
        return number
    }

    func handle(value: Value, logger: Logger) async {
        await Connection.$current.withValue(value.connection) {
            await HTTP1Channel(responder: responder).handle(value: value.requests, logger: logger)
        }
    }
}
