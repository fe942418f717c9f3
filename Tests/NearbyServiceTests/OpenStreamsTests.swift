import Nearby
import NearbyWire
import Testing

@testable import NearbyService

/// Tests of the table of open streams.
@Suite struct OpenStreamsTests {
    private final class Reader: EventReader {
        func eventPosition(in mailbox: String) -> EventPosition? { nil }
        func take(_ events: StreamEvents) {}
        func end() {}
    }

    /// Each stream is in one phase. A phase has 100 of 3000 streams on average: fewer than 50 or more than
    /// 150 are five standard deviations away.
    @Test func eachStreamIsInOnePhase() {
        var streams = OpenStreams()
        let secrets = (0..<3000).map { SecretHash(of: "secret \($0)") }
        for secret in secrets { #expect(streams.open(secret, Reader()) == nil) }
        let phases = (0..<NearbyService.pulsePhases).map { Array(streams.streams(ofPhase: $0).keys) }
        #expect(phases.allSatisfy { (50...150).contains($0.count) }, "\(phases.map(\.count))")
        #expect(phases.joined().count == 3000 && Set(phases.joined()) == Set(secrets))
        #expect(streams.count == 3000 && Set(streams.all.map(\.0)) == Set(secrets))
    }

    @Test func aNewStreamReplacesTheFormerOne() throws {
        var streams = OpenStreams()
        let (secret, first, second) = (SecretHash(of: "one"), Reader(), Reader())
        #expect(streams.open(secret, first) == nil)
        let number = try #require(streams[secret]?.number)
        #expect(streams.open(secret, second) as? Reader === first)
        #expect(streams.count == 1 && streams[secret]!.number > number)
        #expect(streams.close(secret) as? Reader === second)
        #expect(streams.close(secret) == nil && streams[secret] == nil && streams.count == 0)
    }

    @Test func allAreClosedAtOnce() {
        var streams = OpenStreams()
        for n in 0..<100 { #expect(streams.open(SecretHash(of: "secret \(n)"), Reader()) == nil) }
        #expect(streams.closeAll().count == 100 && streams.count == 0 && streams.lastNumber == 100)
    }

    @Test func theOldestWaitingEventsAreKnown() {
        var streams = OpenStreams()
        let (first, second) = (SecretHash(of: "one"), SecretHash(of: "two"))
        func note(_ secret: SecretHash, _ seconds: Int) {
            streams.noteEvents(for: secret, at: .start + .seconds(seconds))
        }
        note(first, 1)
        #expect(streams.unsentSince == nil, "there is no stream")
        for secret in [first, second] { _ = streams.open(secret, Reader()) }
        note(first, 3)
        note(second, 2)
        note(second, 5)
        #expect(streams.unsentSince == .start + .seconds(2))
        _ = streams.open(second, Reader())
        #expect(streams.unsentSince == .start + .seconds(2), "the next stream brings the same news")
        streams.noteAllSent(to: second)
        #expect(streams.unsentSince == .start + .seconds(3))
        _ = streams.close(first)
        #expect(streams.unsentSince == nil)
    }
}
