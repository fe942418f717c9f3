import NIOCore

/// The first handler of a connection, before TLS: it ends the connection at once, whatever the other end does.
final class ConnectionAbortHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The connection waits for its other handlers. A server that ends meanwhile must not get it any more.
    var isWaiting = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isWaiting, event is ChannelShouldQuiesceEvent { cut() }
        context.fireUserInboundEventTriggered(event)
    }

    /// To be called on the event loop.
    func cut() { context?.close(mode: .all, promise: nil) }
}

@available(*, unavailable)
extension ConnectionAbortHandler: Sendable {}
