import NIOCore
import NearbyService
import NearbyWire

/// The text of one stream of server-sent events (WHATWG HTML, "Server-sent events"): one event for each
/// answer with events. For an answer without any it is a comment, so that both ends notice when the other is
/// gone.
///
///     id: Ew9nAqYJbW8.7
///     data: {"deliveries":[…],"mailbox":"Ew9nAqYJbW8","news":7}
///
/// An id is the mailbox and the number of the last of its events. A client that returns with it as
/// `Last-Event-ID` gets the events after it. If the id is of another mailbox, a comment says so and all
/// events follow.
struct EventText: Sendable {
    /// The milliseconds after which a browser opens a broken stream again.
    private static let retryMillis = 3000
    /// Most events are shorter: their buffer does not grow.
    private static let usualLength = 496
    /// The bytes before a text, in which its length in digits and a line's end have room: see ``chunk(_:)``.
    private static let roomForLength = 10
    private static let digits = Array("0123456789abcdef".utf8)

    /// The last events that the client has.
    private var sent = EventPosition(mailbox: nil, number: 0)
    private var advice: StreamAdvice
    /// The beginning, before the first events; `nil` when it is written.
    private var opening: Opening?

    private struct Opening {
        var lastID: String?
        var greeting: WireAnswer?
        /// True if the last id was of another mailbox.
        var isAfterOther = false
    }

    /// - Parameters:
    ///   - lastID: The id of the last event that the client had, as it says; `nil` if it names none.
    ///   - advice: The advice for the time when the stream breaks. It is among the first events.
    init(after lastID: String?, _ advice: StreamAdvice) {
        self.advice = advice
        opening = Opening(lastID: lastID)
    }

    /// Sets the first event.
    mutating func setGreeting(_ greeting: WireAnswer?) { opening?.greeting = greeting }

    /// Returns the place after which the client wants the events of a mailbox.
    mutating func place(in mailbox: String) -> EventPosition {
        if let lastID = opening?.lastID {
            if let number = EventText.number(of: lastID, in: mailbox) {
                sent = EventPosition(mailbox: mailbox, number: number)
            } else {
                opening?.isAfterOther = true
            }
        }
        return sent
    }

    /// Returns true if the text of these events would only show that this end is there.
    func isPulse(_ events: StreamEvents) -> Bool {
        guard opening == nil, case .events(let event, _) = events else { return false }
        return event.isEmpty
    }

    /// Returns the text of the next events.
    mutating func next(_ events: StreamEvents) -> ByteBuffer {
        var text = ByteBuffer()
        text.reserveCapacity(EventText.usualLength)
        text.moveWriterIndex(to: EventText.roomForLength)
        text.moveReaderIndex(to: EventText.roomForLength)
        if let opening {
            text.writeString("retry: \(EventText.retryMillis)\n\n")
            if let greeting = opening.greeting { EventText.write(greeting.json, to: &text) }
            if opening.isAfterOther {
                text.writeStaticString(
                    ": Last-Event-ID is of another mailbox: all news of this one follow\n\n")
            }
            self.opening = nil
        }
        advice.write(to: &text)
        switch events {
        case .later: text.writeStaticString(":\n\n")
        case .events(let event, _):
            if event.isEmpty {
                text.writeStaticString(":\n\n")
            } else {
                text.writeBytes(EventText.bytes(of: event))
            }
            sent = EventPosition(mailbox: event.mailbox, number: event.news)
        }
        return text
    }

    /// Frames a text of ``next(_:)`` as a part of a body (RFC 9112 §7.1), in its own buffer.
    static func chunk(_ text: consuming ByteBuffer) -> ByteBuffer {
        var (start, length) = (text.readerIndex - 2, text.readableBytes)
        text.setString("\r\n", at: start)
        repeat {
            start -= 1
            text.setInteger(digits[length & 15], at: start)
            length >>= 4
        } while length > 0
        text.moveReaderIndex(to: start)
        text.writeStaticString("\r\n")
        return text
    }

    /// Returns the number in an event's id; `nil` if the id is of another mailbox.
    private static func number(of id: String, in mailbox: String) -> Int64? {
        guard let dot = id.lastIndex(of: "."), id[..<dot] == mailbox else { return nil }
        return Int64(id[dot...].dropFirst())
    }

    private static func bytes(of event: WireEvent) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(usualLength)
        bytes.append("id: ")
        bytes.append(event.mailbox)
        bytes.append(UInt8(ascii: "."))
        bytes.append(String(event.news))
        bytes.append("\ndata: ")
        event.write(to: &bytes)
        bytes.append("\n\n")
        return bytes
    }

    private static func write(_ json: [UInt8], to text: inout ByteBuffer) {
        text.writeStaticString("data: ")
        text.writeBytes(json)
        text.writeStaticString("\n\n")
    }
}
