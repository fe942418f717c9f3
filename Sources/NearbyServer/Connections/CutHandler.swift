import NIOCore

/// The first handler of a connection, before TLS: it ends the connection at once, whatever the other end does.
final class CutHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// To be called on the event loop.
    func cut() { context?.close(mode: .all, promise: nil) }
}

@available(*, unavailable)
extension CutHandler: Sendable {}
