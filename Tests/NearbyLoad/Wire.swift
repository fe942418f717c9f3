import NIOCore

/// Requests as bytes, and the parts of their responses that are needed. A load generator must cost less than
/// the server that it loads.
enum Wire {
    static func post(_ path: String, bearer: String, body: String) -> ByteBuffer {
        ByteBuffer(
            string: "POST \(path) HTTP/1.1\r\nHost: load\r\nAuthorization: Bearer \(bearer)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    static func get(_ path: String, bearer: String) -> ByteBuffer {
        ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: load\r\nAuthorization: Bearer \(bearer)\r\n\r\n")
    }

    /// Returns the string after `"name":"`; `nil` if there is none.
    static func string(_ name: String, in body: some Collection<UInt8>) -> String? {
        rest(after: "\"\(name)\":\"", in: body).map {
            String(decoding: $0.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        }
    }

    /// Returns the number after `"name":`; `nil` if there is none.
    static func number(_ name: String, in body: some Collection<UInt8>) -> Int64? {
        rest(after: "\"\(name)\":", in: body).flatMap {
            Int64(String(decoding: $0.prefix { (48...57).contains($0) }, as: UTF8.self))
        }
    }

    private static func rest(after key: String, in body: some Collection<UInt8>) -> ArraySlice<UInt8>? {
        let (bytes, key) = (Array(body), Array(key.utf8))
        guard bytes.count > key.count else { return nil }
        let start = (0...(bytes.count - key.count)).first {
            bytes[$0] == key[0] && bytes[$0..<$0 + key.count].elementsEqual(key)
        }
        return start.map { bytes[($0 + key.count)...] }
    }
}

/// One response.
struct Reply {
    var status: Int
    /// The seconds of `Retry-After`; `nil` if there are none.
    var retryAfter: Int?
    var body: [UInt8]
}

/// One connection: requests follow one another, each answered before the next.
// It is used on its channel's loop.
final class Connection: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer

    private var input = ByteBuffer()
    private var context: ChannelHandlerContext?
    private var waiting: [(ByteBuffer, (Reply?) -> Void)] = []
    private var current: ((Reply?) -> Void)?

    var backlog: Int { waiting.count + (current == nil ? 0 : 1) }

    /// Sends a request, on the connection's loop. `done` receives `nil` if the connection ends before the
    /// response.
    func send(_ request: ByteBuffer, _ done: @escaping (Reply?) -> Void) {
        waiting.append((request, done))
        next()
    }

    private func next() {
        guard current == nil, !waiting.isEmpty, let context else { return }
        let (request, done) = waiting.removeFirst()
        current = done
        context.writeAndFlush(NIOAny(request), promise: nil)
    }

    func close() { context?.close(promise: nil) }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func channelActive(context: ChannelHandlerContext) { next() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        input.writeBuffer(&buffer)
        while let reply = take() {
            let done = current
            current = nil
            done?(reply)
            next()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        let failed = [current].compactMap { $0 } + waiting.map(\.1)
        (current, waiting) = (nil, [])
        for done in failed { done(nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// Returns the next whole response; `nil` if there is none yet.
    private func take() -> Reply? {
        let view = input.readableBytesView
        guard let end = Connection.headEnd(view) else { return nil }
        let head = String(decoding: view[view.startIndex..<end], as: UTF8.self).lowercased()
        guard let status = Int(head.dropFirst(9).prefix(3)), let length = Connection.length(head) else {
            return nil
        }
        let whole = end - view.startIndex + length
        guard view.count >= whole else { return nil }
        let body = Array(view[end..<end + length])
        input.moveReaderIndex(forwardBy: whole)
        input.discardReadBytes()
        return Reply(status: status, retryAfter: Connection.number(after: "retry-after: ", head), body: body)
    }

    private static func headEnd(_ view: ByteBufferView) -> Int? {
        guard view.count >= 4 else { return nil }
        for n in view.startIndex...(view.endIndex - 4)
        where view[n] == 13 && view[n + 1] == 10 && view[n + 2] == 13 && view[n + 3] == 10 {
            return n + 4
        }
        return nil
    }

    private static func length(_ head: String) -> Int? {
        head.contains("content-length: ") ? number(after: "content-length: ", head) : 0
    }

    private static func number(after name: String, _ head: String) -> Int? {
        head.firstRange(of: name).flatMap { Int(head[$0.upperBound...].prefix { $0.isNumber }) }
    }
}

/// One stream of events, which calls back with each line that has data.
// It is used on its channel's loop.
final class EventLines: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer

    private let request: ByteBuffer
    private let told: ([UInt8]) -> Void
    private var line: [UInt8] = []

    init(_ request: ByteBuffer, _ told: @escaping ([UInt8]) -> Void) {
        (self.request, self.told) = (request, told)
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(NIOAny(request), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView {
            if byte == 10 {
                if line.starts(with: Array("data: ".utf8)) { told(line) }
                line.removeAll(keepingCapacity: true)
            } else {
                line.append(byte)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
