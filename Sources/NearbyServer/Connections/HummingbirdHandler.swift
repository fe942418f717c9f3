import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// The last handler of a connection. It hands the connection to Hummingbird when the first request comes that
/// ``WholeRequestHandler`` does not answer. Hummingbird's task and buffers take 6 kB, which the connection of
/// a device with a stream of events never needs.
final class HummingbirdHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let begin: (any Channel) throws -> Void
    private var hasBegun = false

    /// - Parameter begin: Adds Hummingbird's handlers after this one. It is called once at most.
    init(begin: @escaping (any Channel) throws -> Void) { self.begin = begin }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        beginOnce(context)
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Hummingbird answers a request that cannot be parsed.
        if error is HTTPParserError { beginOnce(context) }
        guard hasBegun else { return context.close(promise: nil) }
        context.fireErrorCaught(error)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if !hasBegun, case ChannelEvent.inputClosed = event {
            context.close(mode: .output, promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func beginOnce(_ context: ChannelHandlerContext) {
        guard !hasBegun else { return }
        do {
            try begin(context.channel)
            hasBegun = true
        } catch {
            // The connection is closed already, or closes now.
            context.close(promise: nil)
        }
    }
}

@available(*, unavailable)
extension HummingbirdHandler: Sendable {}
