import AcousticModem
import AudioMedium
import Nearby
import Testing

@Suite struct TokenTransmitterTests {
    private static let rateHz = 48_000.0
    private static let token = Token(bits: 0x0123_4567_89AB_CDEF)

    /// Plays in blocks of 20 ms, and asks before each block whether the band is busy.
    private func play(
        _ speaker: inout TokenTransmitter, seconds: Double, isBusy: (Double) -> Bool = { _ in false }
    ) -> (samples: [Float], sent: Int) {
        var (samples, sent) = ([Float](), 0)
        var block = [Float](repeating: 0, count: 960)
        while Double(samples.count) < seconds * Self.rateHz {
            let busy = isBusy(Double(samples.count) / Self.rateHz)
            sent += block.withUnsafeMutableBufferPointer { speaker.fill($0, isBusy: busy).count }
            samples += block
        }
        return (samples, sent)
    }

    /// Returns the seconds at which frames begin: sound after at least 0.15 s of silence.
    private func starts(_ samples: [Float]) -> [Double] {
        var starts: [Double] = []
        var silence = Int.max / 2
        for (n, sample) in samples.enumerated() {
            if sample == 0 {
                silence += 1
                continue
            }
            if silence > Int(0.15 * Self.rateHz) { starts.append(Double(n) / Self.rateHz) }
            silence = 0
        }
        return starts
    }

    private func heard(_ samples: [Float]) -> [Sighting.Payload] {
        var receiver = TokenReceiver(sampleRateHz: Self.rateHz)
        let padded = samples + [Float](repeating: 0, count: 96_000)
        return padded.withUnsafeBufferPointer { receiver.hear($0) }.map(\.payload)
    }

    private func bursts(_ a: Double, _ b: Double) -> MediumAssignment.Cadence {
        .bursts(listening: .seconds(a)...(.seconds(b)))
    }

    @Test func continuousSpeakersRepeatTheirTokenWithoutPause() {
        var speaker = TokenTransmitter(sampleRateHz: Self.rateHz, seed: 1)
        speaker.carryOut(.init([.token(Self.token)], cadence: .continuous))
        let (samples, sent) = play(&speaker, seconds: 15)
        #expect(sent == 10)
        #expect(heard(samples).allSatisfy { $0 == .token(Self.token) })
        #expect(heard(samples).count >= 9)
    }

    /// Two boxes that begin together are apart for most of the time: on one lane, within 75 ms of each other,
    /// they would hide one another from receivers that do not subtract what they heard.
    @Test func boxesThatBeganTogetherPart() {
        let frames = 64
        let begun = [UInt64(1), 2].map { seed in
            var speaker = TokenTransmitter(sampleRateHz: Self.rateHz, seed: seed)
            speaker.carryOut(.init([.token(Self.token)], cadence: .continuous))
            return starts(play(&speaker, seconds: 105).samples).prefix(frames)
        }
        #expect(begun.allSatisfy { $0.count == frames })
        let pauses = zip(begun[0], begun[0].dropFirst()).map { $1 - $0 }
        let usual = pauses.min()!
        // All but every sixteenth are alike, so that receivers add repeats up.
        #expect(pauses.count { $0 < usual + 0.001 } >= 60)
        #expect(pauses.max()! < usual + 1.3)
        let together = begun[0].count { first in begun[1].contains { abs($0 - first) < 0.075 } }
        #expect(together <= frames / 2, "\(together) of \(frames)")
    }

    @Test func payloadsTakeTurns() throws {
        let bytes = try AudioBytes([1, 2, 3])
        var speaker = TokenTransmitter(sampleRateHz: Self.rateHz, seed: 1)
        speaker.carryOut(.init([.token(Self.token), .audioBytes(bytes)], cadence: .continuous))
        let heard = heard(play(&speaker, seconds: 12).samples)
        #expect(heard.count { $0 == .token(Self.token) } >= 3)
        #expect(heard.count { $0 == .audioBytes(bytes) } >= 3)
    }

    @Test func sealedFramesTakeTurnsWithTheToken() throws {
        let frames = try [1, 2].map {
            try #require(SealedFrame(bytes: [UInt8](repeating: $0, count: $0 == 1 ? 32 : 17)))
        }
        var speaker = TokenTransmitter(sampleRateHz: Self.rateHz, seed: 1)
        let payloads = [.token(Self.token)] + frames.map { Sighting.Payload.sealed($0) }
        speaker.carryOut(.init(payloads, cadence: .continuous))
        let heard = heard(play(&speaker, seconds: 15).samples)
        for payload in payloads { #expect(heard.count { $0 == payload } >= 3) }
    }

    /// Frames of `fsk` are longer the more bytes they have.
    @Test func longerFramesLeaveAsMuchTimeToListen() throws {
        var speaker = TokenTransmitter(AudioMediumSettings(profile: .fsk), sampleRateHz: Self.rateHz, seed: 2)
        let frame = try #require(SealedFrame(bytes: [UInt8](repeating: 1, count: 32)))
        speaker.carryOut(.init([.sealed(frame)], cadence: bursts(1.1, 2.6)))
        let starts = starts(play(&speaker, seconds: 60).samples)
        let seconds = WaveformProfile.fsk.durationSeconds(tokenByteCount: 32)
        #expect(seconds > WaveformProfile.fsk.durationSeconds() + 1)
        let pauses = zip(starts, starts.dropFirst()).map { $1 - $0 - seconds }
        #expect(pauses.count > 5)
        #expect(pauses.allSatisfy { (1.05...2.65).contains($0) })
    }

    @Test func burstsLeaveTimeToListen() {
        var speaker = TokenTransmitter(sampleRateHz: Self.rateHz, seed: 2)
        speaker.carryOut(.init([.token(Self.token)], cadence: bursts(1.1, 2.6)))
        let starts = starts(play(&speaker, seconds: 60).samples)
        let frame = WaveformProfile.dsss.durationSeconds()
        let pauses = zip(starts, starts.dropFirst()).map { $1 - $0 - frame }
        #expect(pauses.count > 15)
        #expect(pauses.allSatisfy { (1.09...2.62).contains($0) })
        #expect((pauses.max() ?? 0) - (pauses.min() ?? 0) > 0.7)
    }

    /// The band is busy for 10 s. Nothing begins in that time, and the waiting frames begin soon after, but
    /// not all at once.
    @Test func nobodyBeginsWhileAnotherSends() {
        let first = (0..<40).map { seed in
            var speaker = TokenTransmitter(sampleRateHz: Self.rateHz, seed: UInt64(seed))
            speaker.carryOut(.init([.token(Self.token)], cadence: bursts(1.1, 2.6)))
            return starts(play(&speaker, seconds: 12, isBusy: { $0 < 10 }).samples)[0]
        }
        #expect(first.allSatisfy { (10.0...10.5).contains($0) })
        #expect(Set(first.map { Int($0 * 20) }).count >= 6)
    }

    /// Next to a box that never pauses, the device has its turn all the same.
    @Test func aBandThatIsNeverFreeIsSharedAfterAWhile() {
        var speaker = TokenTransmitter(sampleRateHz: Self.rateHz, seed: 5)
        speaker.carryOut(.init([.token(Self.token)], cadence: bursts(1.1, 2.6)))
        let starts = starts(play(&speaker, seconds: 60, isBusy: { _ in true }).samples)
        #expect((4...6).contains(starts.count))
    }

    @Test func aNewTokenFollowsTheFrameThatSounds() {
        var speaker = TokenTransmitter(sampleRateHz: Self.rateHz, seed: 3)
        speaker.carryOut(.init([.token(Self.token)], cadence: .continuous))
        let before = play(&speaker, seconds: 3).samples
        let next = Token(bits: 42)
        speaker.carryOut(.init([.token(next)], cadence: .continuous))
        let payloads = heard(before + play(&speaker, seconds: 4).samples)
        #expect(Set(payloads) == [.token(Self.token), .token(next)])
        #expect(payloads.firstIndex(of: .token(next))! > payloads.lastIndex(of: .token(Self.token))!)
    }

    /// No frame is cut off, and none is sent twice.
    @Test(arguments: [
        MediumAssignment.Cadence.continuous, .bursts(listening: .seconds(1.1)...(.seconds(1.6))),
    ])
    func anotherProfileFollowsTheFrameThatSounds(cadence: MediumAssignment.Cadence) {
        let settings = AudioMediumSettings(nearProfile: .dsssQuick)
        #expect(settings.profiles == [.standard, .near] && settings.listensFor == [.dsss, .dsssQuick])
        var speaker = TokenTransmitter(settings, sampleRateHz: Self.rateHz, seed: 3)
        var receivers = [WaveformProfile.dsss, .dsssQuick].map {
            TokenReceiver(AudioMediumSettings(profile: $0), sampleRateHz: Self.rateHz)
        }
        var (samples, sent) = ([Float](), 0)
        for profile in [MediumAssignment.Profile.standard, .near, .standard] {
            speaker.carryOut(.init([.token(Self.token)], cadence: cadence, profile: profile))
            let part = play(&speaker, seconds: 6.3)
            samples += part.samples
            sent += part.sent
        }
        // It plays to the end of a frame, because half of one would be heard, too.
        let before = sent
        while sent == before {
            let part = play(&speaker, seconds: 0.1)
            samples += part.samples
            sent += part.sent
        }
        samples += [Float](repeating: 0, count: 96_000)
        let counts = receivers.indices.map { n in
            samples.withUnsafeBufferPointer { receivers[n].hear($0) }.count { !$0.isRenewal }
        }
        #expect(counts[0] + counts[1] == sent, "\(counts) of \(sent)")
        #expect(counts[1] >= 3)
        #expect(counts[0] >= 5)
    }

    @Test func endsWithinMoments() {
        var speaker = TokenTransmitter(sampleRateHz: Self.rateHz, seed: 4)
        speaker.carryOut(.init([.token(Self.token)], cadence: .continuous))
        _ = play(&speaker, seconds: 2)
        speaker.carryOut(nil)
        let tail = play(&speaker, seconds: 1).samples
        #expect(tail.dropFirst(240).allSatisfy { $0 == 0 })
        #expect(speaker.isSilent)
        speaker.carryOut(.init([.token(Self.token)], cadence: .continuous))
        #expect(play(&speaker, seconds: 3).sent == 2)
    }

    /// The transmitter is stopped and begun again before the next block.
    @Test(arguments: [false, true]) func speaksAgainAtOnceAfterItWasStopped(isPlaying: Bool) {
        var speaker = TokenTransmitter(sampleRateHz: Self.rateHz, seed: 4)
        speaker.carryOut(.init([.token(Self.token)], cadence: .continuous))
        if isPlaying { _ = play(&speaker, seconds: 2) }
        speaker.carryOut(nil)
        speaker.carryOut(.init([.token(Self.token)], cadence: .continuous))
        #expect(play(&speaker, seconds: 3).sent == 2)
    }
}
