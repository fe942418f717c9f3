import Nearby
import Testing

@testable import NearbyWire

@Suite struct MailboxTests {
    private static func batch(_ numbers: ClosedRange<Int64>, _ mailbox: String = "m") throws -> Mailbox.Batch
    {
        Mailbox.Batch(mailbox: mailbox, last: numbers.upperBound, try numbers.map { try delivery($0) })
    }

    private static func delivery(_ number: Int64) throws -> Answer.Delivery {
        let discovery = Discovery(id: PublicationID(bits: UInt64(number)), message: try Message("\(number)"))
        return .init(.found, discovery, to: OperationID(1))
    }

    private static func fresh(_ numbers: [Int64]) throws -> Mailbox.Outcome {
        .fresh(try numbers.map { try delivery($0) })
    }

    @Test func eachIsLetThroughOnceAndInOrder() throws {
        var mailbox = Mailbox()
        #expect(mailbox.take(try Self.batch(1...2), by: .completeAnswer) == (try Self.fresh([1, 2])))
        #expect(mailbox.take(try Self.batch(1...4), by: .event) == (try Self.fresh([3, 4])))
        #expect(mailbox.take(try Self.batch(1...3), by: .answer) == .fresh([]))
        #expect(mailbox.taken == 4)
        #expect(mailbox.take(try Self.batch(6...7), by: .event) == .outOfStep)
        #expect(mailbox.take(try Self.batch(6...7), by: .answer) == .outOfStep)
        #expect(mailbox.taken == 4)
        #expect(mailbox.take(try Self.batch(5...7), by: .answer) == (try Self.fresh([5, 6, 7])))
    }

    @Test func onlyACompleteReportChangesTheMailbox() throws {
        var mailbox = Mailbox()
        _ = mailbox.take(try Self.batch(1...5), by: .completeAnswer)
        #expect(mailbox.take(try Self.batch(1...2, "other"), by: .event) == .outOfStep)
        #expect(mailbox.take(try Self.batch(1...2, "other"), by: .answer) == .outOfStep)
        #expect((mailbox.name, mailbox.taken) == ("m", 5))
        #expect(
            mailbox.take(try Self.batch(1...2, "other"), by: .completeAnswer) == (try Self.fresh([1, 2])))
        #expect((mailbox.name, mailbox.taken) == ("other", 2))
    }

    /// An event may name a mailbox only if it has the very first events.
    @Test func eventsMayNameItAfterAnAnswerButNotBefore() throws {
        var mailbox = Mailbox()
        #expect(mailbox.take(try Self.batch(1...1), by: .event) == .outOfStep)
        #expect(mailbox.take(Mailbox.Batch(mailbox: nil, last: nil, []), by: .completeAnswer) == .fresh([]))
        #expect(mailbox.take(try Self.batch(1...1), by: .event) == (try Self.fresh([1])))
        mailbox.forget()
        #expect(mailbox.take(try Self.batch(1...2), by: .event) == .outOfStep)
    }

    @Test func numbersBeginAnywhereWhenEverythingIsSaidAgain() throws {
        var mailbox = Mailbox()
        _ = mailbox.take(try Self.batch(1...2), by: .completeAnswer)
        #expect(mailbox.take(try Self.batch(8...9), by: .completeAnswer) == (try Self.fresh([8, 9])))
        mailbox.forget()
        #expect(mailbox.take(try Self.batch(10...11), by: .completeAnswer) == (try Self.fresh([10, 11])))
    }

    @Test(arguments: [nil, 0, -1, .min, 1] as [Int64?])
    func numbersThatMakeNoSense(news: Int64?) throws {
        var mailbox = Mailbox()
        let two = [try Self.delivery(1), try Self.delivery(2)]
        #expect(mailbox.take(Mailbox.Batch(mailbox: "m", last: news, two), by: .completeAnswer) == .malformed)
        #expect(mailbox.take(Mailbox.Batch(mailbox: nil, last: 2, two), by: .completeAnswer) == .malformed)
        #expect(mailbox.name == nil)
    }

    /// An answer without events still names the mailbox, and perhaps the previous last number.
    @Test func nothingNewIsNoGap() throws {
        var mailbox = Mailbox()
        #expect(mailbox.take(Mailbox.Batch(mailbox: "m", last: 0, []), by: .completeAnswer) == .fresh([]))
        #expect(mailbox.take(try Self.batch(1...3), by: .event) == (try Self.fresh([1, 2, 3])))
        #expect(mailbox.take(Mailbox.Batch(mailbox: "m", last: 3, []), by: .answer) == .fresh([]))
        #expect(mailbox.take(Mailbox.Batch(mailbox: "m", last: nil, []), by: .answer) == .fresh([]))
        #expect(mailbox.take(Mailbox.Batch(mailbox: "m", last: 2, []), by: .answer) == .fresh([]))
        #expect(mailbox.taken == 3)
    }
}
