import Hummingbird
import NIOCore
import NearbyService
import NearbyWire
import ServiceLifecycle

/// Server-sent events (WHATWG HTML, "Server-sent events"): one event for each answer with news, and a comment when the bell rang
/// without any, so that both ends notice when the other is gone.
///
///     id: 7
///     data: {"deliveries":[…],"mailbox":"…","news":7}
enum EventWriter {
    static func write(_ news: NewsStream, to writer: inout any ResponseBodyWriter) async throws {
        var (told, mailbox) = (Int64(0), String?.none)
        for await _ in news.bell {
            guard let answer = await news.news(after: told, in: mailbox) else { return }
            try await writer.write(answer.deliveries == nil ? ByteBuffer(string: ":\n\n") : event(answer))
            told = answer.news ?? told
            mailbox = answer.mailbox
        }
    }

    private static func event(_ answer: WireAnswer) -> ByteBuffer {
        var text = ByteBuffer(string: "id: \(answer.news ?? 0)\ndata: ")
        text.writeBytes(WireCoding.encode(answer))
        text.writeStaticString("\n\n")
        return text
    }
}
