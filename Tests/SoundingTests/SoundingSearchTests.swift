import ChannelSim
import Glibc
import Signal
import Testing

@testable import Sounding

/// Tests that the sounding is found in its place and nowhere else.
@Suite struct SoundingSearchTests {
    @Test(arguments: [0.0, 7.25, 23.9]) func foundInALongRecording(lead: Double) throws {
        var room = SoundedRoom()
        (room.leadSeconds, room.trailSeconds) = (lead, 24 - lead)
        room.noiseDBFS = -45
        room.path.room = .diffuse(rt60Seconds: 0.5, drrDecibels: -3)
        room.path.clockSkewPPM = 150
        let report = try room.report()
        #expect(abs(report.startSeconds - lead - SoundingSignal.quietSeconds) < 0.001)
    }

    /// `dsss` needs no less than −10.7 dB, and the sounding is found and measured as deep in noise. The SNR
    /// is that in 18.5–20 kHz.
    @Test(arguments: [20.0, 0, -5, -10]) func foundInNoise(snr: Double) throws {
        var worst = (snr: 0.0, skew: 0.0)
        for seed in 1...8 as ClosedRange<UInt64> {
            var room = SoundedRoom()
            (room.gainDecibels, room.noiseDBFS) = (-50, -53 - snr)
            let report = try room.report(seed: seed)
            #expect(abs(report.startSeconds - 1.75) < 0.001)
            worst.skew = max(worst.skew, abs(report.clockSkewPPM))
            worst.snr = max(worst.snr, abs(try #require(report.snrDecibels) - snr))
        }
        #expect(worst.snr < (snr < -5 ? 2 : 1) && worst.skew < (snr < -5 ? 30 : 10))
    }

    private func expectNone(_ recording: [Float], _ rateHz: Double = 48_000) {
        #expect(throws: SoundingError.notFound) {
            _ = try SoundingAnalysis(recording, sampleRateHz: rateHz).report()
        }
    }

    @Test func noneInNoise() {
        for seed in 1...10 as ClosedRange<UInt64> {
            var noise = NoiseSource(seed: seed)
            expectNone(noise.samples(30 * 48_000, sigma: 0.1))
        }
    }

    @Test func noneInSilence() {
        expectNone([Float](repeating: 0, count: 480_000))
        expectNone([Float](repeating: 0.3, count: 480_000))
        expectNone([Float](repeating: .nan, count: 480_000))
        expectNone([Float](repeating: .infinity, count: 480_000))
    }

    /// The notes from 15 to 23 kHz are on a beat, over silence and over noise: the beat is the sounding's own
    /// too.
    @Test(arguments: [0.85, 0.425, 0.5, 0.2]) func noneInNotes(beat: Double) {
        for (seed, sigma) in [(1, Float(0)), (2, 0), (3, 1e-3), (4, 1e-3)] as [(UInt64, Float)] {
            var random = SplitMix64(seed: seed)
            var noise = NoiseSource(seed: seed)
            var sound = noise.samples(20 * 48_000, sigma: sigma)
            for note in 0..<Int(19 / beat) {
                let hz = 15_000 + 8000 * random.nextUnit()
                let start = Int(Double(note) * beat * 48_000)
                let level = random.nextUnit()
                for i in 0..<Int(beat * 24_000) {
                    let decay = seed % 2 == 0 ? exp(-Double(i) / 4000) : 1
                    sound[start + i] += Float(0.5 * level * decay * sin(2 * .pi * hz / 48_000 * Double(i)))
                }
            }
            expectNone(sound)
        }
    }

    /// The music has chords with vibrato that glide into one another, and a drum on every beat, all bright to
    /// 22 kHz.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func noneInMusic(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var noise = NoiseSource(seed: seed)
        var sound = noise.samples(20 * 48_000, sigma: 1e-3)
        for _ in 0..<12 {
            let (root, glide) = (400 + 1500 * random.nextUnit(), 40 * (random.nextUnit() - 0.5))
            let first = Int(random.nextUnit() * 17 * 48_000)
            for harmonic in stride(from: 1.0, through: 22_000 / root, by: 1) {
                var cycles = random.nextUnit()
                for i in 0..<144_000 {
                    let t = Double(i) / 48_000
                    cycles += harmonic * (root + glide * t + 4 * sin(30 * t)) / 48_000
                    sound[first + i] += Float(0.02 * exp(-2 * t) * sin(2 * .pi * (cycles - cycles.rounded())))
                }
            }
        }
        for beat in 0..<46 {
            for i in 0..<9600 { sound[beat * 20_400 + i] += 0.3 * exp(-Float(i) / 800) * noise.next() }
        }
        expectNone(sound)
    }

    /// One sweep repeats again and again, with clicks: there is nothing quiet where the sounding has silence.
    @Test func noneInOtherSweeps() {
        let sweep = Sweep(sampleRateHz: 48_000).samples
        var sound = [Float](repeating: 0, count: 12 * 48_000)
        for n in 0..<12 { for i in sweep.indices { sound[n * 40_800 + i] += 0.5 * sweep[i] } }
        expectNone(sound)
        var clicks = [Float](repeating: 0, count: 12 * 48_000)
        for n in 0..<13 { clicks[n * 40_800] = 1 }
        expectNone(clicks)
    }

    @Test func whatCannotBeASounding() {
        func failure(_ recording: [Float], _ rateHz: Double) -> SoundingError? {
            do {
                _ = try SoundingAnalysis(recording, sampleRateHz: rateHz).report()
                return nil
            } catch { return error }
        }
        #expect(failure([], 48_000) == .tooShort(seconds: 0))
        #expect(failure([1], 48_000) == .tooShort(seconds: 1 / 48_000.0))
        #expect(failure([Float](repeating: 0, count: 100_000), 8000) == .unusableRate(hz: 8000))
        for rateHz in [0, -1, .nan, .infinity, 1e300] {
            #expect(
                failure([Float](repeating: 0, count: 100_000), rateHz)?.description.contains(
                    "samples a second") == true)
        }
        let whole = SoundedRoom().recording()
        // The first sweep starts at 1.75 s and the last ends at 6.625 s.
        #expect(failure(Array(whole[..<316_000]), 48_000) == .cutOff)
        #expect(failure(Array(whole[..<286_000]), 48_000) == .notFound)
        #expect(failure(Array(whole[86_000...]), 48_000) == .notFound)
        guard case .noQuietBefore(let seconds) = failure(Array(whole[76_000...]), 48_000) else {
            Issue.record("expected a refusal")
            return
        }
        #expect(abs(seconds - 0.167) < 0.01)
    }

    /// The sound may be cut off, loud, stopped, doubled or turned round: the result is a report or a reason,
    /// never a trap.
    @Test func neverTraps() {
        var random = SplitMix64(seed: 5)
        var room = SoundedRoom()
        room.path.room = .diffuse(rt60Seconds: 0.3, drrDecibels: 0)
        let whole = room.recording()
        var reports = 0
        for _ in 0..<60 {
            let first = Int(random.nextUnit() * 100_000)
            let end = whole.count - Int(random.nextUnit() * 100_000)
            let gain = Float(pow(10, 12 * random.nextUnit() - 8))
            var piece = whole[first..<end].map { gain * $0 }
            let hole = Int(random.nextUnit() * Double(piece.count))
            for i in hole..<min(piece.count, hole + 5000) { piece[i] = 0 }
            if random.nextUnit() < 0.1 { piece.reverse() }
            let rateHz = [44_100.0, 48_000, 48_010, 96_000][Int(random.nextUnit() * 4)]
            do {
                _ = try SoundingAnalysis(piece, sampleRateHz: rateHz).report()
                reports += 1
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
        #expect(reports > 3)
    }

    /// A slow player's last sweep ends later than expected. Every end around there gives a report or a
    /// refusal.
    @Test(arguments: [-250.0, 250]) func cutAtItsEnd(skewPPM: Double) {
        var room = SoundedRoom()
        room.path.clockSkewPPM = skewPPM
        let whole = room.recording()
        var reports = 0
        for end in stride(from: 317_880, through: 318_120, by: 12) {
            let analysis = SoundingAnalysis(Array(whole[..<end]), sampleRateHz: 48_000)
            if (try? analysis.report()) != nil { reports += 1 }
        }
        #expect((1...20).contains(reports))
    }
}
