import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// A handler for the duties of an HTTP server that the codec does not cover (RFC 9110, RFC 9112).
///
///     HTTP/1 codec ── ProtocolHandler ── RequestHandler
///
/// Inwards it finds faults of heads and brings targets into their canonical form. Outwards it leaves out the
/// bodies of answers to HEAD. It answers HTTP/1.0 in HTTP/1.0, without chunks. It converts between the types
/// of NIO, which are those of HTTP/1, and the types of Hummingbird.
final class ProtocolHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The parts of a request that its answer depends on.
    struct Head {
        var isOld = false
        var isHEAD = false
        /// True if the client may send another request on this connection.
        var isKeptAlive = true
        /// True if the client waits for `100 Continue`.
        var waitsForContinue = false
        var fault: RequestFault?
    }

    /// The heads of the requests that arrived and are not yet answered, in their order.
    private var heads: [Head] = []
    private var current = Head()

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): read(head, context)
        case .body(let bytes): context.fireChannelRead(wrapInboundOut(.body(bytes)))
        case .end(let trailers):
            let fields = trailers.map { HTTPFields($0, splitCookie: false) }
            context.fireChannelRead(wrapInboundOut(.end(fields)))
        }
    }

    private func read(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var facts = Head(isOld: ProtocolHandler.isOld(head), isHEAD: head.method == .HEAD)
        let connection = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
        facts.isKeptAlive = facts.isOld ? connection.contains("keep-alive") : !connection.contains("close")
        let hosts = head.headers["host"]
        facts.fault = ProtocolHandler.fault(head, hosts)
        let target = RequestTarget.canonical(head.uri, head.method)
        if target == nil { facts.fault = facts.fault ?? (head.method == .CONNECT ? .tunnel : .badTarget) }
        // HTTP/1.0 has no expectations, so a server ignores them (RFC 9110 §10.1.1).
        let expectations = facts.isOld ? [] : head.headers[canonicalForm: "expect"].map { $0.lowercased() }
        if expectations.contains(where: { $0 != "100-continue" }) {
            facts.fault = facts.fault ?? .expectation
        }
        facts.waitsForContinue = !expectations.isEmpty && facts.fault == nil
        heads.append(facts)
        do {
            let request = HTTPRequest(
                method: try .init(head.method), scheme: "http", authority: hosts.first,
                path: target ?? "/", headerFields: HTTPFields(head.headers, splitCookie: false))
            context.fireChannelRead(wrapInboundOut(.head(request)))
        } catch {
            context.fireErrorCaught(error)
        }
    }

    private static func fault(_ head: HTTPRequestHead, _ hosts: [String]) -> RequestFault? {
        guard hosts.count == 1 || (hosts.isEmpty && isOld(head)) else { return .hosts(hosts.count) }
        guard hosts.allSatisfy({ $0.utf8.allSatisfy(isHostByte) }) else { return .badHost }
        let codings = head.headers[canonicalForm: "transfer-encoding"].map { $0.lowercased() }
        guard !codings.isEmpty else { return nil }
        if isOld(head) { return .oldTransferCoding }
        return codings == ["chunked"] ? nil : .transferCoding
    }

    private static func isOld(_ head: HTTPRequestHead) -> Bool { head.version == .http1_0 }

    /// Returns true for a character of a name, an address or a port (RFC 3986 §3.2.2).
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21...0x7E: !"\"#/<>?@\\^`{|}".utf8.contains(byte)
        default: false
        }
    }

    /// Notes that the next request is being answered. Returns its facts.
    func beginRequest() -> Head {
        if !heads.isEmpty { current = heads.removeFirst() }
        return current
    }

    // MARK: Answers

    /// True if the body of the current answer goes in chunks, unless it has a length.
    var answersInChunks: Bool { !current.isOld && !current.isHEAD }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let response):
            var head = HTTPResponseHead(response)
            if current.isOld, response.status.kind != .informational {
                head.version = .http1_0
                if head.headers[canonicalForm: "connection"].isEmpty {
                    head.headers.add(name: "Connection", value: "keep-alive")
                }
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body where current.isHEAD, .end where current.isHEAD: promise?.succeed()
        case .body(let bytes): context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: promise)
        case .end(let trailers):
            context.write(wrapOutboundOut(.end(trailers.map { HTTPHeaders($0) })), promise: promise)
        }
    }
}

@available(*, unavailable)
extension ProtocolHandler: Sendable {}
