import Nearby
import Signal
import Testing

/// Tests of sealed frames between a registry that takes them and a medium.
@Suite struct SealedFrameTests {
    private struct Device {
        var state: EngineState
        var now = Instant.start
        private(set) var reports: [Report] = []
        private(set) var payloads: [Sighting.Payload] = []
        private(set) var isUnheard = false

        init(takesFrames: Bool) throws {
            state = EngineState(permission: .granted, takesFrames: takesFrames, random: SplitMix64(seed: 1))
            take(state.happened(.condition(.ready), on: .audio, now: now))
            take(try state.execute([.publish(OperationID(1), Publication(Message("Anna")))], now: now))
        }

        mutating func take(_ actions: [EngineAction]) {
            for action in actions {
                switch action {
                case .report(let report): reports.append(report)
                case .assign(let assignment, _): payloads = assignment.broadcast?.payloads ?? []
                case .status(let status): isUnheard = status.media[.audio]?.isUnheard ?? false
                default: break
                }
            }
        }

        /// Grants a token if one is wanted, and gives these frames to broadcast.
        mutating func answer(_ frames: [SealedFrame]? = nil) {
            var answer = Answer()
            answer.broadcasts = frames.map { [.audio: $0] }
            if reports.last?.wantsTokens.contains(.audio) ?? false {
                answer.grants = [.init(Token(bits: 1), on: .audio, timeToLive: .seconds(600))]
            }
            take(state.answered(answer, now: now))
        }

        mutating func pass(_ duration: Duration) {
            now = now + duration
            take(state.advance(to: now))
        }

        mutating func hear(_ frame: SealedFrame) {
            take(state.happened(.sighted(Sighting(.sealed(frame), on: .audio)), on: .audio, now: now))
        }
    }

    private func frame(_ byte: UInt8, count: Int = 32) throws -> SealedFrame {
        try #require(SealedFrame(bytes: [UInt8](repeating: byte, count: count)))
    }

    @Test func lengthsAreToldApart() throws {
        for count in 0...40 {
            let bytes = [UInt8](repeating: 0xA3, count: count)
            #expect((SealedFrame(bytes: bytes) != nil) == (16...32).contains(count))
            let payload = Sighting.Payload(frame: bytes)
            #expect((payload == SealedFrame(bytes: bytes).map { .sealed($0) }) == (count != 8))
            #expect(payload.map { $0.frame == bytes } ?? true)
        }
    }

    /// The frames follow the token in their order, until there are others or nothing is published.
    @Test func framesAreBroadcastAsLongAsSomethingIsPublished() throws {
        var device = try Device(takesFrames: true)
        #expect(device.payloads.isEmpty)
        device.answer([try frame(1), try frame(2)])
        #expect(device.payloads == [.token(Token(bits: 1)), .sealed(try frame(1)), .sealed(try frame(2))])
        device.pass(.seconds(5))
        device.answer()
        #expect(device.payloads.count == 3)
        device.pass(.seconds(5))
        device.answer([try frame(3)])
        #expect(device.payloads == [.token(Token(bits: 1)), .sealed(try frame(3))])
        device.take(try device.state.execute([.unpublish(OperationID(1))], now: device.now))
        #expect(device.payloads.isEmpty)
    }

    /// A new frame is reported at once, and then with the heartbeat as long as it is heard.
    @Test func framesOfOthersAreReported() throws {
        var device = try Device(takesFrames: true)
        device.answer([])
        device.hear(try frame(7))
        #expect(device.reports.last?.heard == [FrameObservation(try frame(7), on: .audio, age: .zero)])
        device.answer()
        let count = device.reports.count
        device.pass(.seconds(1))
        device.hear(try frame(7))
        #expect(device.reports.count == count)
        device.pass(.seconds(4))
        #expect(device.reports.last?.heard.map(\.age) == [.seconds(4)])
        device.answer()
        device.pass(.seconds(5))
        #expect(device.reports.last?.heard == [])
    }

    @Test func otherRegistriesAreNotToldOfThem() throws {
        var device = try Device(takesFrames: false)
        device.answer()
        let count = device.reports.count
        device.hear(try frame(7))
        device.pass(.seconds(5))
        #expect(device.reports.count == count + 1)
        #expect(device.reports.last?.heard == [])
    }

    /// The device's own frames show that it can be heard; they are not reported.
    @Test func ownFramesAreKnown() throws {
        var device = try Device(takesFrames: true)
        device.answer([try frame(1)])
        for _ in 0..<4 { device.take(device.state.happened(.sent, on: .audio, now: device.now)) }
        #expect(device.isUnheard)
        device.hear(try frame(1))
        #expect(!device.isUnheard)
        device.pass(.seconds(5))
        #expect(device.reports.last?.heard == [])
    }

    @Test func aFloodIsBounded() throws {
        var device = try Device(takesFrames: true)
        device.answer([])
        for n in 0..<2000 {
            let bytes = [UInt8](repeating: 0, count: 30) + [UInt8(n >> 8), UInt8(n & 255)]
            device.hear(try #require(SealedFrame(bytes: bytes)))
        }
        device.answer()
        #expect(device.reports.last?.heard.count ?? 0 <= 256)
        device.pass(.seconds(50))
        device.hear(try frame(9))
        device.answer()
        #expect(device.reports.last?.heard.map(\.frame) == [try frame(9)])
    }
}
