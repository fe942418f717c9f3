import NIOCore
import NearbyWire

/// Tells the client of one stream in advance within which time to come back when the stream breaks: first of
/// all, and again when the fleet has become so much larger or smaller that the time is another.
struct StreamAdvice {
    private let seconds: @Sendable () -> Int
    private var told: Int?

    /// - Parameter seconds: Returns the time that is right now.
    init(seconds: @escaping @Sendable () -> Int) { self.seconds = seconds }

    /// Writes an event, unless the client was told about the same.
    mutating func write(to text: inout ByteBuffer) {
        let now = seconds()
        if let told, now < 2 * told, told < 2 * now { return }
        told = now
        text.writeStaticString("data: ")
        text.writeBytes(WireAnswer(retryWithinSeconds: now).json)
        text.writeStaticString("\n\n")
    }
}
