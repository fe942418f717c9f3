import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NearbyService

/// Answers the frequent requests of devices at their connection. Hummingbird would spend more on the way to
/// the route and back than the route does, and a stream would keep its tasks in memory.
///
///     RequestHandler ── WholeRequestHandler ──┬── a report, or a stream of events: WholeRequestResponder
///                                             └── everything else, and what comes in pieces: Hummingbird
///
/// A request is answered here only if all of it came with one read. The head of any other is passed on before
/// its body is wanted.
final class WholeRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let responder: WholeRequestResponder
    private let connection: Connection
    private let requests: RequestHandler
    /// The request that has not come to its end, with the parts of its body.
    private var begun: (head: HTTPRequest, body: ByteBuffer)?
    private var isAnswering = false
    /// True if Hummingbird has asked for the end of the connection while a request was answered here.
    private var mustClose = false
    /// The stream of events that is the answer; `nil` if the answer is none.
    private var stream: EventStream?
    private var context: ChannelHandlerContext?

    /// - Parameter requests: The handler before this one.
    init(_ responder: WholeRequestResponder, _ connection: Connection, _ requests: RequestHandler) {
        (self.responder, self.connection, self.requests) = (responder, connection, requests)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        requests.wholeRequests = self
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        requests.wholeRequests = nil
        // The stream, which gives this handler its parts, and the handler would keep each other in memory.
        stream = nil
    }

    // MARK: Requests

    /// Takes a part of a request; returns false if the part must go on through the pipeline. The handler
    /// before this one calls it, as the pipeline would wrap each part in memory of its own.
    func take(_ part: HTTPRequestPart) -> Bool {
        switch part {
        case .head(let head) where responder.takes(head) && connection.fault == nil:
            begun = (head, ByteBuffer())
        case .body(var bytes) where begun != nil:
            if begun!.body.readableBytes == 0 {
                begun!.body = bytes
            } else {
                begun!.body.writeBuffer(&bytes)
            }
        case .end where begun != nil: answer()
        default: return false
        }
        return true
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        passOn(context)
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        passOn(context)
        context.fireErrorCaught(error)
    }

    /// Leaves a request that has not come to its end to Hummingbird.
    private func passOn(_ context: ChannelHandlerContext) {
        guard let (head, body) = begun else { return }
        begun = nil
        context.fireChannelRead(wrapInboundOut(.head(head)))
        if body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(body))) }
    }

    // MARK: Answers

    private func answer() {
        guard let (head, body) = begun, let context else { return }
        (begun, isAnswering) = (nil, true)
        let (loop, channel) = (context.eventLoop, context.channel)
        let handler = NIOLoopBound(self, eventLoop: loop)
        let give = { @Sendable part in loop.execute { handler.value.send(part) } }
        Task { [responder, connection] in
            let (response, stream) = await responder.response(
                to: head, body, on: connection, channel, give: give)
            if let stream {
                loop.execute { [head = response.head] in handler.value.begin(stream, head) }
            } else if response.body.contentLength == nil {
                // A task keeps the memory that the way to the route took until it ends, so this gets another
                // one.
                let writing = Task { await WholeRequestHandler.write(response, by: handler, on: loop) }
                connection.openStream { writing.cancel() }
            } else {
                await WholeRequestHandler.send(response, by: handler, on: loop)
            }
        }
    }

    private static func send(
        _ response: Response, by handler: NIOLoopBound<WholeRequestHandler>, on loop: any EventLoop
    ) async {
        let body = Collector()
        do { try await response.body.write(body) } catch {
            loop.execute { handler.value.context?.close(promise: nil) }
            return
        }
        loop.execute { [head = response.head, bytes = body.bytes] in handler.value.send(head, bytes) }
    }

    private func send(_ head: HTTPResponse, _ body: ByteBuffer) {
        isAnswering = false
        if requests.send(head, body) { return closeIfAsked() }
        context?.write(wrapOutboundOut(.head(head)), promise: nil)
        if body.readableBytes > 0 { context?.write(wrapOutboundOut(.body(body)), promise: nil) }
        end(nil)
    }

    /// Sends an answer without a length, which comes from another instance.
    private static func write(
        _ response: Response, by handler: NIOLoopBound<WholeRequestHandler>, on loop: any EventLoop
    ) async {
        let head = response.head
        loop.execute {
            handler.value.context?.writeAndFlush(handler.value.wrapOutboundOut(.head(head)), promise: nil)
        }
        do { try await response.body.write(Writer(handler: handler, loop: loop)) } catch {
            let isCancelled = Task.isCancelled
            loop.execute {
                // Unless this end of the stream has chosen its end, the client must see that it is none.
                if isCancelled { handler.value.end(nil) } else { handler.value.context?.close(promise: nil) }
            }
        }
    }

    private func begin(_ stream: EventStream, _ head: HTTPResponse) {
        guard let context else { return stream.end() }
        self.stream = stream
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        stream.goOn()
    }

    /// Sends a part of the stream. Events are sent when those before them are.
    private func send(_ part: EventStream.Part) {
        guard let context, let stream else { return }
        switch part {
        case .end:
            self.stream = nil
            end(nil)
        case .events(let events):
            if let watched = stream.watch(for: events), !watched.answersProbes() { return stream.goOn() }
            send(events, of: stream, context)
        }
    }

    private func send(_ events: StreamEvents, of stream: EventStream, _ context: ChannelHandlerContext) {
        let sent =
            if let encoder = requests.pastEncoder {
                // Framed here, a part is one write.
                encoder.writeAndFlush(NIOAny(EventText.chunk(stream.text(of: events))))
            } else {
                context.writeAndFlush(wrapOutboundOut(.body(stream.text(of: events))))
            }
        sent.assumeIsolated().whenComplete { result in
            // A stream that breaks must not look as if this end of it had chosen its end.
            if case .success = result { stream.goOn() } else { context.close(promise: nil) }
        }
    }

    /// Sends the end of the answer; the next request may then come before this function returns.
    private func end(_ trailers: HTTPFields?) {
        isAnswering = false
        context?.write(wrapOutboundOut(.end(trailers)), promise: nil)
        closeIfAsked()
    }

    private func closeIfAsked() {
        guard mustClose else { return }
        mustClose = false
        context?.close(mode: .output, promise: nil)
    }

    /// Hummingbird ends a connection when its client sends nothing more, though an answer is under way.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard isAnswering, mode != .input else { return context.close(mode: mode, promise: promise) }
        mustClose = true
        promise?.succeed()
    }

    /// Writes the body of an answer without a length, each part when those before it are written.
    private struct Writer: ResponseBodyWriter {
        let handler: NIOLoopBound<WholeRequestHandler>
        let loop: any EventLoop

        func write(_ bytes: ByteBuffer) async throws {
            let written = loop.makePromise(of: Void.self)
            loop.execute {
                let handler = handler.value
                guard let context = handler.context else {
                    return written.fail(ChannelError.ioOnClosedChannel)
                }
                context.writeAndFlush(handler.wrapOutboundOut(.body(bytes)), promise: written)
            }
            try await written.futureResult.get()
        }

        consuming func finish(_ trailers: HTTPFields?) async throws {
            loop.execute { [handler] in handler.value.end(trailers) }
        }
    }
}

@available(*, unavailable)
extension WholeRequestHandler: Sendable {}

/// Collects the bytes of an answer that has a length, which mostly come at once.
private final class Collector: ResponseBodyWriter {
    private(set) var bytes = ByteBuffer()

    func write(_ bytes: ByteBuffer) {
        if self.bytes.readableBytes == 0 {
            self.bytes = bytes
        } else {
            self.bytes.writeImmutableBuffer(bytes)
        }
    }

    func finish(_ trailers: HTTPFields?) {}
}
