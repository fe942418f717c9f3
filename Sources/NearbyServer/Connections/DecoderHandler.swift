import NIOCore
import NIOHTTP1

/// Decodes requests with NIO's decoder, which it adds after itself when bytes come. While the answer is a
/// stream, no request is expected, and the decoder with its 2 kB is removed.
final class DecoderHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData

    private typealias Decoder = ByteToMessageHandler<HTTPRequestDecoder>

    private static let limits = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = 80 << 10
        return limits
    }()
    /// The end of a head, CR LF CR LF (RFC 9112 §2.1).
    private static let end: UInt32 = 0x0D0A_0D0A

    private var decoder: Decoder?
    /// True if the last bytes were the end of a head.
    private var isAtEnd = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        isAtEnd = bytes.getInteger(at: bytes.writerIndex - 4) == DecoderHandler.end
        if decoder == nil {
            let new = Decoder(HTTPRequestDecoder(limitConfiguration: DecoderHandler.limits))
            do { try context.pipeline.syncOperations.addHandler(new, position: .after(self)) } catch {
                // The connection is closed already, or closes now.
                return context.close(promise: nil)
            }
            decoder = new
        }
        context.fireChannelRead(data)
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard event is Connection.AnswerIsStream else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        // Otherwise the decoder may have a part of the next request.
        if isAtEnd, let decoder {
            self.decoder = nil
            context.pipeline.syncOperations.removeHandler(decoder, promise: nil)
        }
        promise?.succeed()
    }
}

@available(*, unavailable)
extension DecoderHandler: Sendable {}
