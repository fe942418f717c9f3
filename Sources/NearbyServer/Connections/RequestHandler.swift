import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Lets the requests of a connection through one after another, each within its time.
///
///     head ──→ (who asks is found out) ──→ body, when wanted ──→ answer ──→ next head
///
/// While a request is answered nothing more is read, so that neither an unwanted body nor requests sent ahead
/// take memory. Requests that came with the last read wait here; if they are many, the connection closes.
final class RequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    enum Phase {
        case waiting
        /// The head arrived, but its body has not ended.
        case reading
        /// The whole request arrived.
        case answering
        /// The answer was sent before the whole body arrived. The rest of the body is dropped, up to a bound.
        case dropping
        /// The answer was sent, and the connection ends. Further input is dropped, up to a bound.
        case closing
    }

    /// The number of bytes that are still read after an early answer, to keep the connection.
    private static let largestDrop = 64 << 10
    /// The highest number of request parts that wait.
    private static let longestQueue = 64

    let connection: Connection
    let limits: ConnectionLimits
    let cut: ConnectionAbortHandler
    private let rules: ProtocolHandler
    /// The handler after this one, which answers some requests; `nil` unless there is one in the pipeline.
    var wholeRequests: WholeRequestHandler?
    var phase = Phase.waiting
    /// The bytes of the body that the head announced and that are still missing; `nil` if it is chunked.
    private var missing: Int?
    var dropped = 0
    private var waitsForContinue = false
    private var isReadHeld = false
    var queue: [HTTPRequestPart] = []
    var hasAnswerBegun = false
    /// True if the answer that is under way lasts until the client ends it. Only then is more read meanwhile.
    var isStream = false
    /// True if the client sends nothing more.
    var hasInputEnded = false
    /// True if the connection closes after the answer that is under way.
    var isLast = false
    /// True if the request is of HTTP/1.0, where an answer without a length ends with its connection.
    private var isOld = false
    /// The fault that the parser has found; nothing can be read after it.
    private var parserError: HTTPParserError?
    /// The place of the encoder for answers of HTTP/1.1 that go past it, from this one's.
    private var place: ChannelHandlerContext?
    private var encoder: ChannelHandlerContext?
    var deadline: Deadline?
    var isUnwritable = false
    /// Cuts the connection off when the server ends.
    var ending: Scheduled<Void>?

    init(
        _ connection: Connection, _ limits: ConnectionLimits, cut: ConnectionAbortHandler,
        rules: ProtocolHandler
    ) {
        (self.connection, self.limits, self.cut, self.rules) = (connection, limits, cut, rules)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        place = context
        encoder = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
        deadline = Deadline(on: context.eventLoop) { [weak self] in self?.deadlineIsOver(context) }
        deadline?.set(limits.strangerPatience)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        (place, encoder) = (nil, nil)
        deadline?.cancel()
        ending?.cancel()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch (phase, part) {
        case (.closing, .body(let bytes)): drop(bytes.readableBytes, context)
        case (.closing, _): break
        case (.dropping, .body(let bytes)): drop(bytes.readableBytes, context)
        case (.answering, _), (.dropping, .head):
            guard queue.count < RequestHandler.longestQueue else {
                isLast = true
                return
            }
            queue.append(part)
        case (.waiting, _), (.reading, _), (.dropping, .end): take(part, context)
        }
    }

    private func take(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head):
            phase = .reading
            (hasAnswerBegun, isStream) = (false, false)
            let facts = rules.beginRequest()
            connection.beginRequest(fault: facts.fault)
            isOld = facts.isOld
            missing = head.headerFields.value(of: .contentLength).flatMap { Int($0) }
            if missing == nil, !head.headerFields.contains(.transferEncoding) { missing = 0 }
            waitsForContinue = facts.waitsForContinue
            // The connection then notifies this handler when the body is wanted, though nothing was read.
            if waitsForContinue { _ = connection.isBodyWantedOrWait() }
            if !facts.isKeptAlive || facts.fault != nil { isLast = true }
            deadline?.set(limits.bodyPatience)
        case .body(let bytes):
            waitsForContinue = false
            missing? -= bytes.readableBytes
            do throws(ConnectionTable.Refusal) { try connection.addBody(bytes.readableBytes) } catch {
                fail(error == .bodies ? .noRoom : .noRoomForAddress, context)
                return
            }
        case .end:
            waitsForContinue = false
            let isAnswered = phase == .dropping
            phase = .answering
            deadline?.clear()
            pass(part, context)
            if isAnswered { finishRequest(context) }
            return
        }
        pass(part, context)
    }

    private func pass(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        if wholeRequests?.take(part) != true { context.fireChannelRead(wrapInboundOut(part)) }
    }

    /// The reader of the body gets an error instead of its rest.
    func fail(_ failure: BodyFailure, _ context: ChannelHandlerContext) {
        isLast = true
        deadline?.clear()
        context.fireErrorCaught(failure)
    }

    /// Answers a request that the parser cannot read, after those before it.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if ConnectionProbes.isDeath(error) { connection.setDead() }
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        parserError = error
        failParsing(context)
    }

    private func failParsing(_ context: ChannelHandlerContext) {
        guard let parserError, phase != .answering, phase != .closing, queue.isEmpty else { return }
        isLast = true
        context.fireErrorCaught(parserError)
    }

    private func drop(_ bytes: Int, _ context: ChannelHandlerContext) {
        dropped += bytes
        if dropped > RequestHandler.largestDrop, phase == .dropping { cut.cut() }
    }

    func read(context: ChannelHandlerContext) {
        guard mayRead else {
            isReadHeld = true
            return
        }
        context.read()
    }

    private var mayRead: Bool {
        switch phase {
        case .waiting, .dropping: true
        // If a connection is cut while input is unread, the kernel's reset costs a sending client the answer.
        case .closing: dropped <= RequestHandler.largestDrop
        case .reading: connection.isBodyWantedOrWait()
        case .answering: isStream && queue.count < RequestHandler.longestQueue
        }
    }

    func resumeReading(_ context: ChannelHandlerContext) {
        guard isReadHeld, mayRead else { return }
        isReadHeld = false
        context.read()
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        switch event {
        case is Connection.BodyIsWanted: bodyIsWanted(context)
        case is Connection.AnswerIsStream:
            isStream = true
            // A stream has no use for the timer's memory.
            if !isUnwritable { deadline?.cancel() }
            // The decoder may go, unless it has a part of this request or of the next.
            if phase == .answering, queue.isEmpty { context.triggerUserOutboundEvent(event, promise: nil) }
            // The client may have left before its answer began.
            if hasInputEnded { connection.endStream() }
        default: return context.triggerUserOutboundEvent(event, promise: promise)
        }
        resumeReading(context)
        promise?.succeed()
    }

    private func bodyIsWanted(_ context: ChannelHandlerContext) {
        if waitsForContinue, phase == .reading, !hasAnswerBegun {
            waitsForContinue = false
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.kind != .informational:
            beginAnswer(&head)
            let body = parserError.flatMap { head.explain(RequestFault($0)) }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
            if let body { context.write(wrapOutboundOut(.body(body)), promise: nil) }
        case .end:
            context.write(data, promise: promise)
            // The responder flushes only after all parts of its answer.
            context.flush()
            answered(context)
        default: context.write(data, promise: promise)
        }
    }

    /// Notes that the answer begins, and names the connection's end in its head if this is the last one.
    private func beginAnswer(_ head: inout HTTPResponse) {
        hasAnswerBegun = true
        if connection.mustClose || isBodyLeftAlone { isLast = true }
        if isOld, head.headerFields[.contentLength] == nil { isLast = true }
        if isLast { head.headerFields[.connection] = "close" }
    }

    /// The place from which framed parts of the current answer go past the encoder; `nil` if none may,
    /// because the answer is of HTTP/1.0 or has no body.
    var pastEncoder: ChannelHandlerContext? { rules.answersInChunks ? encoder : nil }

    /// Sends a whole answer with a length in one write past the encoder, which would take three.
    ///
    /// - Returns: False if this answer must take the usual way.
    func send(_ head: HTTPResponse, _ body: ByteBuffer) -> Bool {
        guard let place, let pastEncoder, head.headerFields.contains(.contentLength) else { return false }
        var head = head
        beginAnswer(&head)
        pastEncoder.writeAndFlush(NIOAny(head.text(with: body)), promise: nil)
        answered(place)
        return true
    }

    /// True if the answer is sent early and the rest of the body is not worth reading.
    private var isBodyLeftAlone: Bool {
        phase == .reading && (waitsForContinue || (missing ?? .max) > RequestHandler.largestDrop)
    }

    private func answered(_ context: ChannelHandlerContext) {
        // A stream's head went out long before its connection was to close.
        if isLast || (isStream && connection.mustClose) {
            close(context)
        } else if phase == .reading {
            phase = .dropping
            resumeReading(context)
        } else {
            finishRequest(context)
        }
    }

    private func finishRequest(_ context: ChannelHandlerContext) {
        phase = .waiting
        connection.endRequest()
        deadline?.set(connection.isKnown ? limits.idlePatience : limits.strangerPatience)
        if !queue.isEmpty {
            while phase == .waiting || phase == .reading, !queue.isEmpty {
                take(queue.removeFirst(), context)
            }
            // The responder processes the parts only after this event.
            context.fireChannelReadComplete()
        }
        failParsing(context)
        resumeReading(context)
    }
}

@available(*, unavailable)
extension RequestHandler: Sendable {}
