import NIOCore

/// The first handler of a connection, before TLS. It closes the connection at once, whatever the other end
/// does.
final class ConnectionAbortHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// True while the connection waits for its other handlers. A server that ends meanwhile closes the
    /// connection.
    var isWaiting = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isWaiting, event is ChannelShouldQuiesceEvent { cut() }
        context.fireUserInboundEventTriggered(event)
    }

    /// Closes the connection. Call it on the event loop.
    func cut() { context?.close(mode: .all, promise: nil) }
}

@available(*, unavailable)
extension ConnectionAbortHandler: Sendable {}
