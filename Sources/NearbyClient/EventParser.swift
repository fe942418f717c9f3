/// What a server sends unasked: one event of a `text/event-stream`.
struct ServerEvent: Sendable, Hashable {
    /// Empty where the server names none.
    var type = ""
    /// Lines with a line feed between them.
    var data: [UInt8] = []
    /// The last one that the stream has named.
    var id = ""
}

/// Bytes of a `text/event-stream`, cut anywhere → events. A value: no wires.
///
/// Reference: WHATWG HTML, section 9.2.6. `retry` is not followed: the client has a back-off of its own.
struct EventParser: Sendable {
    /// A line, or the data of one event, has more bytes than the limit: what follows cannot be told any more.
    struct TooLong: Error, Hashable {}

    private let limit: Int
    private var line: [UInt8] = []
    private var event = ServerEvent()
    private var hasData = false
    /// A line feed that follows belongs to the line end before.
    private var isAfterCarriageReturn = false
    private var isFirstLine = true

    /// - Parameter limit: bytes of a line, and of an event's data.
    init(limit: Int) { self.limit = limit }

    /// Events that end within these bytes. Throws: ``TooLong``; nothing can be taken after that.
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

    /// An event without data is none.
    private mutating func endEvent() -> ServerEvent? {
        defer {
            event = ServerEvent(id: event.id)
            hasData = false
        }
        return hasData ? event : nil
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
