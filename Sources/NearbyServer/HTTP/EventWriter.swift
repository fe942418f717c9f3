import Hummingbird
import NIOCore
import NearbyService
import NearbyWire
import ServiceLifecycle

/// Server-sent events (WHATWG HTML, "Server-sent events"): one event for each answer, and a comment when there was none for a
/// while, so that both ends notice when the other is gone.
///
///     id: 7
///     data: {"deliveries":[…],"mailbox":"…","news":7}
enum EventWriter {
    static func write(
        _ news: NewsStream, every keepAlive: Duration, to writer: inout some ResponseBodyWriter
    ) async throws {
        // Events and the comments between them come one after the other through one stream.
        let (lines, queue) = AsyncStream.makeStream(
            of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(64))
        let reader = Task {
            for await answer in news {
                var text = ByteBuffer(string: "id: \(answer.news ?? 0)\ndata: ")
                text.writeBytes(WireCoding.encode(answer))
                text.writeStaticString("\n\n")
                queue.yield(text)
            }
            queue.finish()
        }
        let pulse = Task {
            while (try? await Task.sleep(for: keepAlive)) != nil { queue.yield(ByteBuffer(string: ":\n\n")) }
        }
        func end() async {
            reader.cancel()
            pulse.cancel()
            await news.end()
        }
        do {
            // The first byte goes at once: the client knows that it is connected.
            try await writer.write(ByteBuffer(string: ":\n\n"))
            for await line in lines.cancelOnGracefulShutdown() { try await writer.write(line) }
        } catch {
            await end()
            throw error
        }
        await end()
    }
}
