/// One event of a `text/event-stream`, which a server sends without a request.
struct ServerEvent: Sendable, Hashable {
    /// The event's type; empty if the server names none.
    var type = ""
    /// The event's data; line feeds separate its lines.
    var data: [UInt8] = []
    /// The last identifier in the stream up to this event.
    var id = ""
}

/// Parses the bytes of a `text/event-stream`, in chunks of any size, into events. A value type without a
/// network.
///
/// Reference: WHATWG HTML, section 9.2.6. The parser ignores `retry`, because the client has its own
/// back-off.
struct EventParser: Sendable {
    /// The error of a line or an event's data that exceeds the limit. The rest of the stream cannot be
    /// parsed.
    struct TooLong: Error, Hashable {}

    private let limit: Int
    private var line: [UInt8] = []
    private var event = ServerEvent()
    private var hasData = false
    /// `true` after a carriage return. A line feed that follows belongs to the same line end.
    private var isAfterCarriageReturn = false
    private var isFirstLine = true

    /// - Parameter limit: the bytes of a line; the data of an event, with its line feeds, has no more.
    init(limit: Int) { self.limit = limit }

    /// Returns the events that end within these bytes. Throws: ``TooLong``. The parser cannot be used after
    /// that.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [ServerEvent] {
        var events: [ServerEvent] = []
        for byte in bytes {
            let isPairEnd = isAfterCarriageReturn && byte == UInt8(ascii: "\n")
            isAfterCarriageReturn = byte == UInt8(ascii: "\r")
            if isPairEnd { continue }
            if isAfterCarriageReturn || byte == UInt8(ascii: "\n") {
                if let event = try endLine() { events.append(event) }
            } else {
                guard line.count < limit else { throw TooLong() }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() throws(TooLong) -> ServerEvent? {
        defer {
            line.removeAll(keepingCapacity: line.capacity <= 1 << 16)
            isFirstLine = false
        }
        let text = isFirstLine && line.starts(with: EventParser.byteOrderMark) ? line.dropFirst(3) : line[...]
        guard let first = text.first else { return endEvent() }
        if first == UInt8(ascii: ":") { return nil }  // A comment: a sign of life.
        let name = text.prefix { $0 != UInt8(ascii: ":") }
        var value = text.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "data":
            guard event.data.count + value.count < limit else { throw TooLong() }
            if hasData { event.data.append(UInt8(ascii: "\n")) }
            event.data += value
            hasData = true
        case "event": event.type = String(decoding: value, as: UTF8.self)
        case "id": if !value.contains(0) { event.id = String(decoding: value, as: UTF8.self) }
        default: break
        }
        return nil
    }

    /// Returns the event that a blank line ends; `nil` if it has no data.
    private mutating func endEvent() -> ServerEvent? {
        defer {
            event = ServerEvent(id: event.id)
            hasData = false
        }
        return hasData ? event : nil
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
