import Hummingbird
import NIOCore
import NearbyService
import NearbyWire
import ServiceLifecycle

/// A writer of server-sent events (WHATWG HTML, "Server-sent events"). It writes one event for each answer
/// with news. For a wake signal without news it writes a comment, so that both ends notice when the other is
/// gone.
///
///     id: Ew9nAqYJbW8.7
///     data: {"deliveries":[…],"mailbox":"Ew9nAqYJbW8","news":7}
///
/// An id is the mailbox and the number of the last of its news. A client that returns with it as
/// `Last-Event-ID` gets the news after it. If the id is of another mailbox, a comment says so and all news
/// follow.
enum EventWriter {
    /// The milliseconds after which a browser opens a broken stream again.
    private static let retryMillis = 3000

    /// Writes the events of a device until its stream ends.
    ///
    /// - Parameters:
    ///   - lastID: The id of the last event that the client had, as it says; `nil` if it names none.
    ///   - advice: The advice for the time when the stream breaks. It is among the first events.
    ///   - connection: The connection to the client, which is probed while the stream is open; `nil` if it
    ///     ends at a proxy.
    static func write(
        _ news: DeviceEventStream, after lastID: String?, _ advice: StreamAdvice,
        over connection: Connection?, to writer: inout any ResponseBodyWriter
    ) async throws {
        var (told, mailbox) = (Int64(0), String?.none)
        var advice = advice
        var greeting: String? = "retry: \(retryMillis)\n\n"
        if let first = news.greeting {
            greeting! += "data: \(String(decoding: first.json, as: UTF8.self))\n\n"
        }
        for await _ in news.bell {
            if greeting != nil, let lastID, let current = await news.mailbox() {
                if let number = number(of: lastID, in: current) {
                    (told, mailbox) = (number, current)
                } else {
                    greeting! += ": Last-Event-ID is of another mailbox: all news of this one follow\n\n"
                }
            }
            var text = ByteBuffer(string: greeting ?? "")
            advice.write(to: &text)
            switch await news.news(after: told, in: mailbox) {
            case .over: return
            case .later: text.writeStaticString(":\n\n")
            case .news(let answer, let hearsAny):
                connection?.setProbes(hearsAny ? .close : .distant)
                if answer.deliveries == nil && answer.grants == nil && answer.keepAliveMillis == nil {
                    if greeting == nil, let connection, !(await connection.answersProbes()) { continue }
                    text.writeStaticString(":\n\n")
                } else {
                    write(answer, to: &text)
                }
                told = answer.news ?? told
                mailbox = answer.mailbox
            }
            greeting = nil
            try await writer.write(text)
        }
    }

    /// Returns the number in an event's id; `nil` if the id is of another mailbox.
    private static func number(of id: String, in mailbox: String) -> Int64? {
        guard let dot = id.lastIndex(of: "."), id[..<dot] == mailbox else { return nil }
        return Int64(id[dot...].dropFirst())
    }

    private static func write(_ answer: WireAnswer, to text: inout ByteBuffer) {
        text.writeString("id: \(answer.mailbox ?? "").\(answer.news ?? 0)\ndata: ")
        text.writeBytes(answer.json)
        text.writeStaticString("\n\n")
    }
}
