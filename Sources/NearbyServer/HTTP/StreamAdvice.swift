import NIOCore
import NearbyWire

/// Tells the client of one stream in advance within which time to come back when the stream breaks: first of
/// all, and again when the fleet has become so much larger or smaller that the time is another.
struct StreamAdvice {
    private let seconds: @Sendable () -> Int
    private var sent: Int?

    /// - Parameter seconds: Returns the time that is right now.
    init(seconds: @escaping @Sendable () -> Int) { self.seconds = seconds }

    /// Writes an event, unless the client was sent about the same.
    mutating func write(to text: inout ByteBuffer) {
        let now = seconds()
        if let sent, now < 2 * sent, sent < 2 * now { return }
        sent = now
        text.writeStaticString("data: ")
        text.writeBytes(WireAnswer(retryWithinSeconds: now).json)
        text.writeStaticString("\n\n")
    }
}
