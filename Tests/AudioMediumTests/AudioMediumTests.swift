import AcousticModem
import AudioIO
import AudioMedium
import Nearby
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AudioMediumTests {
    /// A box that only speaks and an app that only listens have an engine each. The app subscribes, finds the
    /// message, and loses it when the box ends.
    @Test func aMessageIsFoundBySoundAndLostWithItsPublisher() async throws {
        let pipe = AudioPipe()
        let registry = LocalRegistry()
        let box = NearbyEngine(
            media: [try AudioMedium(playback: { AudioPipe.Sink(pipe) }, capture: nil)],
            registry: registry.device())
        let app = NearbyEngine(
            media: [try AudioMedium(playback: nil, capture: { AudioPipe.Source(pipe) })],
            registry: registry.device())
        let events = try await app.subscribe(to: .type("channel"), strategy: Strategy(mode: .scan))
        let publication = try await box.publish(
            Message("one", type: "channel"), strategy: Strategy(mode: .broadcast))
        var iterator = events.makeAsyncIterator()
        guard case .found(let first) = await iterator.next() else { throw Missing() }
        #expect(first.message.text == "one")
        try await publication.update(Message("two", type: "channel"))
        guard case .updated(let second) = await iterator.next() else { throw Missing() }
        #expect(second.message.text == "two" && second.id == first.id)
        await box.end()
        #expect(await iterator.next() == .lost(second))
        await app.end()
        #expect(await iterator.next() == nil)
    }

    /// A microphone that may not be used shows in the condition. As soon as it may, the medium hears by
    /// itself.
    @Test func aForbiddenMicrophoneIsTriedAgain() async throws {
        let pipe = AudioPipe()
        let isAllowed = Mutex(false)
        let medium = try AudioMedium(
            playback: nil,
            capture: { () throws(AudioIOError) in
                guard isAllowed.withLock({ $0 }) else {
                    throw AudioIOError(.noPermission, .standardStream, "not allowed; ask for it")
                }
                return AudioPipe.Source(pipe)
            })
        var events = medium.events().makeAsyncIterator()
        #expect(await events.next() == .condition(MediumCondition(broadcast: .missing)))
        await medium.carryOut(MediumAssignment(isScanning: true))
        var forbidden = MediumCondition(broadcast: .missing)
        forbidden.set(.forbidden, because: "-: not allowed; ask for it", on: .scan)
        #expect(await events.next() == .condition(forbidden))
        isAllowed.withLock { $0 = true }
        #expect(await events.next() == .condition(MediumCondition(broadcast: .missing)))
    }

    /// If a loudspeaker's rate holds tokens but not sealed frames, it is refused with the reason before
    /// anything sounds.
    @Test func everyWaveformFitsTheRate() async throws {
        let low = AudioMediumSettings(profile: .fskTelephone, sealedProfile: .dsssFar)
        let medium = try AudioMedium(
            playback: { SilentSink(rateHz: 16_000) }, capture: nil, settings: low)
        var events = medium.events().makeAsyncIterator()
        _ = await events.next()
        await medium.carryOut(
            MediumAssignment(
                broadcast: .init([.token(Token(bits: 1))], cadence: .continuous)))
        guard case .condition(let condition)? = await events.next() else {
            Issue.record("no condition")
            return
        }
        #expect(condition.reasons[.broadcast]?.contains("16000 Hz cannot hold dsss-far") == true)
        await medium.close()
    }

    private final class SilentSink: AudioSink {
        let format: AudioFormat
        init(rateHz: Int) { format = AudioFormat(sampleRateHz: rateHz, channelCount: 1) }
        func write(_ block: AudioBlock) {}
        func finish() {}
    }

    /// A file in the loudspeaker's place is complete when the medium is closed: a frame that sounds is faded
    /// out.
    @Test func aFileIsWholeWhenItsMediumIsClosed() async throws {
        let folder = TemporaryDirectory()
        let path = AudioPath.file(folder.file("sound.wav"))
        let medium = try AudioMedium.open(playback: path, capture: nil)
        await medium.carryOut(
            MediumAssignment(broadcast: .init([.token(Token(bits: 1))], cadence: .continuous)))
        try await Task.sleep(for: .milliseconds(500))
        await medium.close()
        let frameCount = try WAVReader(path).format.frameCount
        #expect((frameCount ?? 0) >= 4800)
    }

    /// The microphone is closed whenever nobody wants to hear.
    @Test func devicesAreOpenOnlyWhileTheyAreNeeded() async throws {
        let pipe = AudioPipe()
        let opened = Mutex<[Weak]>([])
        let medium = try AudioMedium(
            playback: nil,
            capture: {
                let source = AudioPipe.Source(pipe)
                opened.withLock { $0.append(Weak(source)) }
                return source
            })
        for count in 1...2 {
            await medium.carryOut(MediumAssignment(isScanning: true))
            while opened.withLock({ $0.count }) < count { try await Task.sleep(for: .milliseconds(5)) }
            await medium.carryOut(.idle)
            while opened.withLock({ $0[count - 1].source != nil }) {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        #expect(opened.withLock { $0.count } == 2)
    }

    /// A microphone that works for a while between failures is tried again after a second each time. It is
    /// not reported to work before something was heard.
    @Test func aDeviceThatWorkedIsTriedAgainSoon() async throws {
        let pipe = AudioPipe()
        let opened = Mutex<[ContinuousClock.Instant]>([])
        let medium = try AudioMedium(
            playback: nil,
            capture: {
                let count = opened.withLock {
                    $0.append(.now)
                    return $0.count
                }
                return Failing(AudioPipe.Source(pipe), after: count == 1 ? 0 : 2)
            })
        var events = medium.events().makeAsyncIterator()
        _ = await events.next()
        await medium.carryOut(MediumAssignment(isScanning: true))
        guard case .condition(let condition)? = await events.next() else {
            Issue.record("no condition")
            return
        }
        #expect(condition.scan == .failing && condition.reasons[.scan]?.isEmpty == false, "\(condition)")
        while opened.withLock({ $0.count }) < 5 { try await Task.sleep(for: .milliseconds(20)) }
        let times = opened.withLock { $0 }
        let pauses = zip(times.dropFirst(), times.dropFirst(2)).map { $1 - $0 }
        // The second pause after one that doubles is two seconds. Other work makes a pause longer.
        #expect(try #require(pauses.min()) < .seconds(1.8), "\(pauses)")
        #expect(pauses.allSatisfy { $0 < .bound(.seconds(1.8)) }, "\(pauses)")
    }

    /// The medium's threads end with it, wherever they are.
    @Test func aDroppedMediumClosesItsDevices() async throws {
        let pipe = AudioPipe()
        let opened = Mutex<Weak?>(nil)
        var medium: AudioMedium? = try AudioMedium(
            playback: { AudioPipe.Sink(pipe) },
            capture: {
                let source = AudioPipe.Source(pipe)
                opened.withLock { $0 = Weak(source) }
                return source
            })
        let broadcast = MediumAssignment.Broadcast([.token(Token(bits: 1))], cadence: .continuous)
        await medium?.carryOut(MediumAssignment(broadcast: broadcast, isScanning: true))
        while opened.withLock({ $0 == nil }) { try await Task.sleep(for: .milliseconds(5)) }
        medium = nil
        while opened.withLock({ $0?.source != nil }) { try await Task.sleep(for: .milliseconds(5)) }
        _ = medium
    }

    /// A source that fails after so many blocks.
    private final class Failing: AudioSource, @unchecked Sendable {
        private let source: AudioPipe.Source
        private var left: Int

        init(_ source: AudioPipe.Source, after count: Int) { (self.source, left) = (source, count) }

        var format: AudioFormat { source.format }
        var replacedSampleCount: Int { 0 }

        func read(into block: inout AudioBlock) throws(AudioIOError) -> Bool {
            guard left > 0 else { throw AudioIOError(.inputOutput, .standardStream, "broken") }
            left -= 1
            return source.read(into: &block)
        }
    }

    private struct Missing: Error {}

    private struct Weak: @unchecked Sendable {
        weak var source: AudioPipe.Source?
        init(_ source: AudioPipe.Source) { self.source = source }
    }
}
