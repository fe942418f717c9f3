import NIOCore

/// One stream of events: its status, its lines with data, and its end.
// It is used on its channel's loop.
final class StormStream: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer

    private let request: ByteBuffer
    private let head: (Int, Int?) -> Void
    private let line: ([UInt8]) -> Void
    private let opened: (any Channel) -> Void
    private let closed: (Bool) -> Void
    private var text: [UInt8] = []
    private var status: Int?
    private var isOpen = false

    init(
        _ request: ByteBuffer, head: @escaping (Int, Int?) -> Void, line: @escaping ([UInt8]) -> Void,
        opened: @escaping (any Channel) -> Void, closed: @escaping (Bool) -> Void
    ) {
        (self.request, self.head, self.line) = (request, head, line)
        (self.opened, self.closed) = (opened, closed)
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(NIOAny(request), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView where byte != 13 {
            guard byte == 10 else {
                text.append(byte)
                continue
            }
            take(context)
            text.removeAll(keepingCapacity: true)
        }
    }

    /// The status line comes first, then fields, one of which may be `Retry-After`, then lines with data.
    private func take(_ context: ChannelHandlerContext) {
        let words = String(decoding: text, as: UTF8.self)
        guard let status else {
            self.status = Int(words.dropFirst(9).prefix(3)) ?? 0
            return
        }
        if status != 200 {
            if words.lowercased().hasPrefix("retry-after: ") { retryAfter = Int(words.dropFirst(13)) }
            guard words.isEmpty, !isRefused else { return }
            isRefused = true
            head(status, retryAfter)
            context.close(promise: nil)
        } else if words.hasPrefix("data: ") {
            line(text)
            guard !isOpen else { return }
            isOpen = true
            head(200, nil)
            opened(context.channel)
        }
    }

    private var retryAfter: Int?
    private var isRefused = false

    func channelInactive(context: ChannelHandlerContext) {
        if !isRefused { closed(isOpen) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
