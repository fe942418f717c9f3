import CAllocationCount
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AcousticModem

@Suite struct TokenMixerTests {
    private let token: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    private func difference(_ a: [Float], _ b: [Float]) -> [Float] { zip(a, b).map { $0 - $1 } }

    // MARK: Formats

    @Test(arguments: SampleFormat.allCases, [1, 2, 6, 8])
    func isHeardInEveryFormat(format: SampleFormat, channelCount: Int) throws {
        let mixer = TokenMixer(.dsss, format, channelCount: channelCount)
        try mixer.send([token])
        let programme = MixingProgramme.steady.samples(144_000, rateHz: 48_000)
        let mixed = mixer.mixed(stored(programme, format, channelCount: channelCount))
        let last = read(mixed, format, channel: channelCount - 1, of: channelCount)
        #expect(last == read(mixed, format, channel: 0, of: channelCount))
        var receiver = Receiver(profiles: [.dsss])
        let reports = receiver.process(last) + receiver.finish()
        // The third frame has only begun, but enough of it may have come.
        #expect(reports.count >= 2 && reports.allSatisfy { $0.token == token })
    }

    @Test(arguments: [44_100.0, 48_000, 96_000]) func isHeardAtEveryRate(rateHz: Double) throws {
        let mixer = TokenMixer(rateHz: rateHz)
        try mixer.send([token])
        let mixed = mixer.mixed(MixingProgramme.noisy.samples(Int(3 * rateHz), rateHz: rateHz))
        var receiver = ChannelReceiver(profiles: [.dsss], sampleRateHz: Int(rateHz))
        let reports = mixed.withUnsafeBufferPointer { receiver.process($0) } + receiver.finish()
        #expect(reports.count >= 2 && reports.allSatisfy { $0.token == token })
    }

    /// The result is the same in any chunks and from any address.
    @Test(arguments: SampleFormat.allCases) func chunksMakeNoDifference(format: SampleFormat) throws {
        let programme = stored(
            MixingProgramme.abrupt.samples(100_000, rateHz: 48_000), format, channelCount: 2)
        func mixer() throws -> TokenMixer {
            let pauses = TokenMixer.Pauses(everySeconds: 1.3, jitterSeconds: 0.1)
            let mixer = TokenMixer(.dsss, format, channelCount: 2, pauses: pauses)
            try mixer.send([token, [9]])
            return mixer
        }
        let whole = try mixer().mixed(programme, chunk: 100_000)
        #expect(whole != programme)
        for chunk in [1, 7, 63, 64, 65, 480, 5000] {
            #expect(try mixer().mixed(programme, chunk: chunk) == whole, "\(chunk)")
        }
        var shifted = [0] + programme
        let another = try mixer()
        shifted.withUnsafeMutableBytes { another.mix($0.baseAddress! + 1, count: 100_000) }
        #expect(Array(shifted[1...]) == whole)
    }

    // MARK: Frames

    @Test func sendsAsManyFramesAsAsked() throws {
        let mixer = TokenMixer()
        let silence = [Float](repeating: 0, count: 48_000)
        #expect(mixer.isOver)
        try mixer.send([token], frames: 2)
        #expect(!mixer.isOver)
        for _ in 0..<6 { _ = mixer.mixed(silence) }
        #expect(mixer.status.sentCount == 2 && mixer.isOver && !mixer.status.isSounding)
        #expect(mixer.mixed(silence) == silence)
        // The level alone does not restart the frames; the token does.
        mixer.setLevel(.fixed(-20))
        #expect(mixer.mixed(silence) == silence)
        try mixer.send([token], frames: 1)
        #expect(mixer.mixed(silence) != silence)
    }

    @Test func tokensTakeTurns() throws {
        let mixer = TokenMixer(.dsssQuick)
        try mixer.send([[1], [2, 2], [3, 3, 3]])
        let mixed = mixer.mixed([Float](repeating: 0, count: 4 * 48_000))
        var receiver = Receiver(profiles: [.dsssQuick])
        let reports = (receiver.process(mixed) + receiver.finish()).sorted { $0.startSample < $1.startSample }
        #expect(reports.map(\.token).prefix(6) == [[1], [2, 2], [3, 3, 3], [1], [2, 2], [3, 3, 3]])
    }

    /// A change waits for the next frame: not a sample of the present one changes.
    @Test func tokenAndLevelChangeBetweenFrames() throws {
        let silence = [Float](repeating: 0, count: 150_000)
        let (still, changed) = (TokenMixer(), TokenMixer())
        try still.send([token])
        try changed.send([token])
        let (first, rest) = (Array(silence[..<20_000]), Array(silence[20_000...]))
        let before = (still.mixed(first), changed.mixed(first))
        #expect(before.0 == before.1)
        try changed.send([[5, 5]])
        changed.setLevel(.fixed(-20))
        let after = (still.mixed(rest), changed.mixed(rest))
        let frame = Int(WaveformProfile.dsss.durationSeconds() * 48_000) + 9600 - 20_000
        #expect(after.0[..<frame] == after.1[..<frame])
        #expect(after.0[frame...] != after.1[frame...])
        #expect(abs(changed.status.peakAmplitude - 0.1) < 1e-4)
        var receiver = Receiver(profiles: [.dsss])
        let reports = (receiver.process(before.1 + after.1) + receiver.finish()).sorted {
            $0.startSample < $1.startSample
        }
        #expect(reports.map(\.token).prefix(2) == [token, [5, 5]])
    }

    @Test func fadesOutWithin20Milliseconds() throws {
        let mixer = TokenMixer()
        try mixer.send([token])
        _ = mixer.mixed([Float](repeating: 0, count: 20_000))
        mixer.fadeOut()
        let tail = mixer.mixed([Float](repeating: 0, count: 48_000))
        #expect(tail[..<480].contains { abs($0) > 0.005 })
        #expect(tail[960...].allSatisfy { $0 == 0 })
    }

    /// Frames that were cut off do not count as requested ones.
    @Test func asManyWholeFramesAsAsked() throws {
        let mixer = TokenMixer()
        try mixer.send([token], frames: 2)
        _ = mixer.mixed([Float](repeating: 0, count: 20_000))
        mixer.fadeNow()
        _ = mixer.mixed([Float](repeating: 0, count: 400_000))
        #expect(mixer.status.sentCount == 2 && mixer.isOver)
    }

    // MARK: Levels

    private func peak(_ level: MixingLevel, under programme: [Float]) throws -> Float {
        let mixer = TokenMixer()
        // The programme that has been heard by then decides.
        _ = mixer.mixed(programme)
        mixer.setLevel(level)
        try mixer.send([token])
        _ = mixer.mixed(programme)
        return 20 * log10(mixer.status.peakAmplitude)
    }

    @Test func levelFollowsTheTreble() throws {
        let silence = [Float](repeating: 0, count: 48_000)
        // Bass hides nothing.
        let bass = MixingProgramme.steady.samples(48_000, rateHz: 48_000)
        #expect(abs(try peak(MixingLevel(), under: silence) + 38) < 0.01)
        #expect(abs(try peak(MixingLevel(), under: bass) + 38) < 0.01)
        // White noise of −20 dBFS has −23 over 12 kHz; a frame's mean power is 3.1 dB under its peak.
        let noise = MixingProgramme.noisy.samples(48_000, rateHz: 48_000)
        #expect(abs(try peak(MixingLevel(relativeDecibels: -12), under: noise) - (-23 - 12 + 3.1)) < 1)
        #expect(abs(try peak(MixingLevel(relativeDecibels: -6), under: noise) - (-23 - 6 + 3.1)) < 1)
        #expect(abs(try peak(MixingLevel(relativeDecibels: 10), under: noise) + 26) < 0.01)
        #expect(abs(try peak(.fixed(-30), under: noise) + 30) < 0.01)
    }

    @Test func fillPlaysAtTheCeiling() throws {
        let mixer = TokenMixer()
        mixer.setLevel(MixingLevel(ceilingDBFS: -6))
        try mixer.send([token])
        var samples = [Float](repeating: .nan, count: 60_000)
        samples.withUnsafeMutableBytes { mixer.fill($0.baseAddress!, count: 60_000) }
        #expect(abs(20 * log10(samples.map { abs($0) }.max() ?? 0) + 6) < 0.01)
    }

    // MARK: No harm to the programme

    /// The programme is always at full scale: the token gives way, and nothing wraps round or exceeds it.
    @Test(arguments: SampleFormat.allCases) func nothingIsMovedBeyondFullScale(format: SampleFormat) throws {
        let mixer = TokenMixer(.dsss, format, channelCount: 2)
        mixer.setLevel(.fixed(0))
        try mixer.send([token])
        let programme = (0..<100_000).map { n -> Float in n % 300 < 150 ? 1 : -1 }
        let bytes = stored(programme, format, channelCount: 2)
        let before = read(bytes, format, channel: 1, of: 2)
        let after = read(mixer.mixed(bytes), format, channel: 1, of: 2)
        // A float programme at full scale stays unchanged. An integer one takes the token's inward steps.
        for (was, now) in zip(before, after) where was >= 0 ? now > was : now < was || abs(now) > 1 {
            Issue.record("\(was) became \(now)")
            break
        }
    }

    /// If there is too little room for the ceiling, the token stays whole and shrinks.
    @Test func givesWayUnderPeaks() throws {
        let mixer = TokenMixer()
        mixer.setLevel(.init(relativeDecibels: 20, floorDBFS: -60, ceilingDBFS: -6))
        var programme = MixingProgramme.noisy.samples(96_000, rateHz: 48_000)
        for n in 60_000..<96_000 { programme[n] = n % 200 < 100 ? 0.97 : -0.97 }
        _ = mixer.mixed(Array(programme[..<48_000]))
        try mixer.send([token])
        let rest = Array(programme[48_000...])
        let mixed = mixer.mixed(rest)
        let added = difference(mixed, rest).map { abs($0) }
        #expect((added[2000..<12_000].max() ?? 0) > 0.2)
        #expect(abs((added[12_500..<40_000].max() ?? 0) - 0.03) < 0.002)
        #expect(mixed.allSatisfy { abs($0) <= 1 })
    }

    /// The added sound lies in its band: under 17 kHz there is a millionth of it, whatever the programme
    /// does. This holds in 16 bits too, whose rounding is the greatest part of that at the least level.
    @Test(
        arguments: MixingProgramme.allCases,
        [(SampleFormat.float, 44_100.0), (.float, 48_000), (.s16, 48_000), (.s24, 48_000)])
    func addsNothingBelow17Kilohertz(
        programme: MixingProgramme, as kind: (format: SampleFormat, rateHz: Double)
    ) throws {
        let samples = programme.samples(Int(5 * kind.rateHz), rateHz: kind.rateHz)
        let bytes = stored(samples, kind.format, channelCount: 1)
        for profile in [WaveformProfile.dsss, .dsssQuick, .dsssFar, .fsk] {
            let mixer = TokenMixer(profile, rateHz: kind.rateHz, kind.format)
            // So many frames end in time: a recording that breaks off is a click of its own.
            try mixer.send([token, [7, 7, 7]], frames: Int(4.9 / (profile.durationSeconds() + 0.2)))
            let added = difference(
                read(mixer.mixed(bytes, chunk: 1000), kind.format, channel: 0, of: 1),
                read(bytes, kind.format, channel: 0, of: 1))
            #expect(added.contains { abs($0) > 0.01 })
            let below = energyBelow(17_000 * 48_000 / kind.rateHz, added)
            print(
                "added below 17 kHz: \(profile.name) \(programme) \(kind.format) \(kind.rateHz) Hz: \(below) dBc"
            )
            #expect(below <= -60, "\(profile.name)")
        }
    }

    // MARK: Real time

    /// A player's turn takes no memory and no mutex, while the other thread changes everything it can.
    @Test(arguments: SampleFormat.allCases) func mixingAsksForNothing(format: SampleFormat) throws {
        let mixer = TokenMixer(
            .dsss, format, channelCount: 2, pauses: .init(everySeconds: 1.2, jitterSeconds: 0.2))
        var bytes = stored(
            MixingProgramme.abrupt.samples(48_000, rateHz: 48_000), format, channelCount: 2)
        let frameBytes = 2 * format.bytesPerSample
        var (memory, locks) = (0, 0)
        for second in 0..<6 {
            switch second {
            case 1: try mixer.send([token])
            case 3:
                mixer.setLevel(.fixed(-30))
                try mixer.send([[1, 2, 3]])
            case 4: mixer.fadeOut()
            case 5: try mixer.send([token], frames: 1)
            default: break
            }
            bytes.withUnsafeMutableBytes { room in
                let before = (nearby_allocation_count(), nearby_lock_count())
                for start in stride(from: 0, to: 48_000, by: 480) {
                    let place = room.baseAddress! + start * frameBytes
                    if second == 5 { mixer.fill(place, count: 480) } else { mixer.mix(place, count: 480) }
                    _ = mixer.status
                }
                memory += Int(nearby_allocation_count() - before.0)
                locks += Int(nearby_lock_count() - before.1)
            }
        }
        #expect(memory == 0 && locks == 0)
        #expect(mixer.status.sentCount >= 2)
        let before = nearby_allocation_count()
        try mixer.send([token])
        #expect(nearby_allocation_count() > before, "the count counts")
    }

    /// Two threads, for the thread sanitizer too: frames go on being sent, whatever is requested meanwhile.
    @Test func anotherThreadMayChangeItMeanwhile() throws {
        let mixer = TokenMixer(.dsssQuick, .s16, channelCount: 2)
        let isOver = Atomic(false)
        try withThread {
            var frames = [Int16](repeating: 0, count: 960)
            while !isOver.load(ordering: .relaxed) {
                frames.withUnsafeMutableBytes { mixer.mix($0.baseAddress!, count: 480) }
            }
        } while: {
            for turn in 0..<300 {
                switch turn % 4 {
                case 0, 1: try mixer.send([token])
                case 2: mixer.setLevel(.fixed(-30))
                default: mixer.fadeOut()
                }
            }
            let sent = mixer.status.sentCount
            try mixer.send([token])
            while mixer.status.sentCount < sent + 3 { usleep(1000) }
            isOver.store(true, ordering: .relaxed)
        }
    }
}
