import Foundation
import NIOCore
import Nearby
import NearbyWire
import Synchronization
import Testing

@testable import NearbyServer
@testable import NearbyService

/// A stream of events by itself: what the connection is given, and when.
struct EventStreamTests {
    private let parts = Parts()
    private let drain = Drain(rate: 1, time: .seconds(1))

    private final class Parts: Sendable {
        private let all = Mutex<[EventStream.Part]>([])
        func add(_ part: EventStream.Part) { all.withLock { $0.append(part) } }
        var count: Int { all.withLock { $0.count } }
        var ends: Int { all.withLock { $0.count { $0.isEnd } } }
    }

    private func stream(after lastID: String? = nil) -> EventStream {
        EventStream(
            EventText(after: lastID, StreamAdvice { 5 }), over: nil, isDirect: false, drain: drain,
            give: { [parts] in parts.add($0) })
    }

    private func events(_ number: Int64) -> StreamEvents { events(Answer(), number) }

    private func events(_ answer: Answer, _ number: Int64, in mailbox: String = "box") -> StreamEvents {
        var texts = DeliveryTexts()
        return .events(WireEvent(answer, mailbox: mailbox, news: number, sharing: &texts), hearsAny: false)
    }

    private func text(_ stream: EventStream, _ events: StreamEvents) -> String {
        String(buffer: stream.text(of: events))
    }

    @Test func takesEventsOneAfterAnother() {
        let stream = stream()
        #expect(stream.eventPosition(in: "box") == nil, "the head is not sent")
        stream.goOn()
        #expect(stream.eventPosition(in: "box")?.number == 0)
        #expect(stream.eventPosition(in: "box") == nil, "it has not taken the news yet")
        stream.take(events(3))
        #expect(parts.count == 1)
        #expect(stream.eventPosition(in: "box") == nil, "it has not sent the news yet")
        #expect(text(stream, events(3)).hasPrefix("retry: 3000\n\ndata: {\"retryWithinSeconds\":5}\n\n"))
        stream.goOn()
        let place = stream.eventPosition(in: "box")
        #expect(place?.mailbox == "box")
        #expect(place?.number == 3)
    }

    @Test(arguments: [0, 1, 600, 70_000])
    func aPartIsFramedInItsOwnBuffer(mailboxLength: Int) {
        var answer = Answer()
        answer.keepAlive = .seconds(9)
        let mailbox = String(repeating: "m", count: mailboxLength)
        let events = events(answer, 7, in: mailbox)
        let (plain, framed) = (stream(), stream())
        let text = text(plain, events)
        #expect(text.contains("id: \(mailbox).7\n"))
        let length = String(text.utf8.count, radix: 16)
        #expect(String(buffer: EventText.chunk(framed.text(of: events))) == "\(length)\r\n\(text)\r\n")
    }

    @Test func anEndBeforeTheHeadComesAfterIt() {
        let stream = stream()
        stream.end()
        #expect(parts.count == 0)
        stream.goOn()
        stream.goOn()
        stream.end()
        #expect(parts.ends == 1)
        #expect(parts.count == 1)
        #expect(stream.eventPosition(in: "box") == nil)
    }

    @Test func anEndComesOnceAndLast() {
        let stream = stream()
        stream.goOn()
        stream.end()
        stream.end()
        stream.goOn()
        #expect(parts.ends == 1)
        #expect(stream.eventPosition(in: "box") == nil)
    }

    @Test(arguments: [
        ("box.7", 7, false), ("other.7", 0, true), ("box.", 0, true), ("7", 0, true), ("box.x", 0, true),
    ])
    func goesOnAfterTheLastID(id: String, number: Int64, saysOther: Bool) {
        let stream = stream(after: id)
        stream.goOn()
        let place = stream.eventPosition(in: "box")
        #expect(place?.number == number)
        #expect(place?.mailbox == (saysOther ? nil : "box"))
        #expect(text(stream, events(9)).contains(": Last-Event-ID is of another mailbox") == saysOther)
    }

    @Test func aPulseIsAComment() {
        let stream = stream()
        stream.goOn()
        _ = text(stream, events(1))
        #expect(text(stream, events(1)) == ":\n\n")
        #expect(text(stream, .later) == ":\n\n")
    }
}
