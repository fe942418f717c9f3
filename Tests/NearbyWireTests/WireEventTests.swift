import Nearby
import Testing

@testable import NearbyWire

/// Tests of the text of events, of which devices share a part.
struct WireEventTests {
    private func deliveries(_ texts: [String]) throws -> [Answer.Delivery] {
        try texts.enumerated().map { n, text in
            let discovery = Discovery(id: PublicationID(bits: UInt64(n)), message: try Message(text))
            return .init(.found, discovery, to: OperationID(2))
        }
    }

    private func json(_ event: WireEvent) -> [UInt8] {
        var text: [UInt8] = []
        event.write(to: &text)
        return text
    }

    /// Each event comes after another one with an equal, an unequal or no text.
    @Test func eventsAreWrittenAsWholeAnswers() throws {
        var texts = DeliveryTexts()
        for contents in [["a"], ["a"], [], ["a"], ["a", "b"], ["b"], ["b"]] {
            for number: Int64 in [7, 8] {
                var answer = Answer()
                answer.deliveries = try deliveries(contents)
                if number == 8 { answer.keepAlive = .seconds(60) }
                let event = WireEvent(answer, mailbox: "m", news: number, sharing: &texts)
                #expect(json(event) == WireAnswer(answer, mailbox: "m", news: number).json)
                #expect(event.isEmpty == (contents.isEmpty && number == 7))
            }
        }
    }

    @Test func grantsAreEvents() {
        var (answer, texts) = (Answer(), DeliveryTexts())
        answer.grants = [.init(Token(bits: 7), on: .audio, timeToLive: .seconds(600))]
        let event = WireEvent(answer, mailbox: "m", news: 0, sharing: &texts)
        #expect(!event.isEmpty && json(event) == WireAnswer(answer, mailbox: "m", news: 0).json)
    }
}
