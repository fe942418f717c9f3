import Nearby
import Signal
import Testing

@testable import SetTopBox

/// Tests that every message arrives once.
@Suite struct InboxTests {
    private func found(_ id: UInt64, _ text: String = "louder") throws -> Discovery {
        Discovery(id: PublicationID(bits: id), message: try Message(text, type: "remote"))
    }

    private func at(_ seconds: Int) -> Instant { .start + .seconds(seconds) }

    @Test func onceForEachPublication() throws {
        var inbox = Inbox()
        #expect(inbox.take(.found(try found(1)), now: at(0))?.change == .arrived)
        #expect(inbox.take(.lost(try found(1)), now: at(10)) == nil)
        #expect(inbox.take(.found(try found(1)), now: at(20)) == nil)
        // The message comes from somebody else, or the same button was pressed again.
        #expect(inbox.take(.found(try found(2)), now: at(21))?.change == .arrived)
        #expect(inbox.take(.updated(try found(2, "softer")), now: at(22))?.change == .changed)
        #expect(inbox.take(.updated(try found(2, "softer")), now: at(23)) == nil)
        #expect(inbox.repeatCount == 2)
    }

    /// The registry comes back without its memory: everything has another name and is reported again.
    @Test func whenTheRegistryForgets() throws {
        var inbox = Inbox()
        _ = inbox.take(.found(try found(1)), now: at(0))
        _ = inbox.take(.found(try found(2)), now: at(0))
        inbox.registryForgot()
        #expect(inbox.take(.found(try found(11)), now: at(5)) == nil)
        #expect(inbox.take(.lost(try found(1)), now: at(45)) == nil)
        #expect(inbox.take(.found(try found(12)), now: at(46)) == nil)
        // There were two; this is a third.
        #expect(inbox.take(.found(try found(13)), now: at(47))?.change == .arrived)
    }

    /// A message that had ended before is not the one that is found afterwards: the button was pressed again.
    @Test func whatHadEndedBeforeArrivesAgain() throws {
        var inbox = Inbox()
        _ = inbox.take(.found(try found(1)), now: at(0))
        _ = inbox.take(.lost(try found(1)), now: at(3))
        inbox.registryForgot()
        #expect(inbox.take(.found(try found(2)), now: at(5))?.change == .arrived)
    }

    /// A server that only paused reports again under the same names. Then another message with the same
    /// content is new.
    @Test func whenTheRegistryOnlyPaused() throws {
        var inbox = Inbox()
        _ = inbox.take(.found(try found(1)), now: at(0))
        inbox.registryForgot()
        inbox.confirm(PublicationID(bits: 1))
        #expect(inbox.take(.found(try found(2)), now: at(5))?.change == .arrived)
    }

    /// In 20 000 random steps the inbox stays bounded, and a message that has just been found does not arrive
    /// again.
    @Test func isBounded() throws {
        var inbox = Inbox()
        var random = SplitMix64(seed: 1)
        for step in 0..<20_000 {
            let id = random.next() % 9000
            let one = try found(id, "text \(id) \(random.next() % 2)")
            switch random.next() % 8 {
            case 0: inbox.registryForgot()
            case 1, 2: _ = inbox.take(.lost(one), now: at(step))
            default:
                _ = inbox.take(.found(one), now: at(step))
                #expect(inbox.take(.found(one), now: at(step)) == nil)
            }
            #expect(inbox.count <= Inbox.limit)
        }
        #expect(inbox.count > 1000)
    }
}
