import AcousticModem
import Signal
import Testing

@testable import LiveModem

@Suite struct BroadcastTests {
    private static let rateHz = 48_000.0
    private static let transmitter = Transmitter(profile: .dsssQuick)

    private func samples(_ broadcast: inout Broadcast, _ count: Int) -> [Float] {
        var samples = [Float](repeating: .nan, count: count)
        samples.withUnsafeMutableBufferPointer { broadcast.fill($0) }
        return samples
    }

    private func make(pauses: Broadcast.Pauses = .init(), frames: Int? = nil) -> Broadcast {
        Broadcast(
            Self.transmitter, levelDBFS: -6, pauses: pauses, frames: frames, random: SplitMix64(seed: 1))
    }

    /// Frames are right sample for sample, and the token changes at a frame's end, with calls of any size.
    @Test(arguments: [1, 480, 7919]) func tokensChangeAtFrames(chunk: Int) throws {
        var broadcast = make(frames: 3)
        let first = try Self.transmitter.waveform(of: [1])
        let second = try Self.transmitter.waveform(of: [2, 2])
        let gap = [Float](repeating: 0, count: Int(0.2 * Self.rateHz))
        let expected = first + gap + second + gap + second + gap
        try broadcast.send([1])
        var sound: [Float] = []
        while sound.count < expected.count {
            if broadcast.isReadyForToken { try broadcast.send([2, 2]) }
            sound += samples(&broadcast, min(chunk, expected.count - sound.count))
        }
        let gain = Float(0.5011872)
        #expect(zip(sound, expected).allSatisfy { abs($0 - gain * $1) < 1e-6 })
        #expect(broadcast.isOver && broadcast.sentCount == 3)
        #expect(samples(&broadcast, 100).allSatisfy { $0 == 0 })
    }

    /// When it is stopped midway, it falls silent within 5 ms, with each sample no louder than the frame's
    /// own and without a jump.
    @Test func stopping() throws {
        var broadcast = make()
        try broadcast.send([1])
        let frame = try Self.transmitter.waveform(of: [1])
        _ = samples(&broadcast, 9000)
        broadcast.stop()
        let end = samples(&broadcast, 480)
        #expect(broadcast.isOver)
        for (n, sample) in end.enumerated() {
            let share = max(0, 1 - Float(n) / 240)
            #expect(abs(sample) <= 0.502 * share * abs(frame[9000 + n]) + 1e-6)
        }
        #expect(end[..<200].contains { abs($0) > 0.05 } && end[240...].allSatisfy { $0 == 0 })
    }

    /// Frames start `every` apart. With jitter each is somewhat later, by other amounts, never earlier.
    @Test(arguments: [0.0, 0.4]) func pauses(jitterSeconds: Double) throws {
        var broadcast = make(pauses: .init(everySeconds: 1, jitterSeconds: jitterSeconds), frames: 8)
        try broadcast.send([7])
        let sound = samples(&broadcast, Int(12 * Self.rateHz))
        var starts: [Int] = []
        var silent = Int.max / 2
        for (n, sample) in sound.enumerated() {
            if sample != 0, silent > 4800 { starts.append(n) }
            silent = sample == 0 ? silent + 1 : 0
        }
        #expect(starts.count == 8)
        let steps = zip(starts, starts.dropFirst()).map { Double($1 - $0) / Self.rateHz }
        #expect(steps.allSatisfy { (0.999...(1.001 + jitterSeconds)).contains($0) })
        if jitterSeconds > 0 { #expect(Set(steps).count == 7) }
    }

    /// If no token follows, it ends after the frame on the air.
    @Test func finishing() throws {
        var broadcast = make()
        try broadcast.send([1])
        broadcast.finish()
        _ = samples(&broadcast, 100)
        broadcast.finish()
        #expect(!broadcast.isOver)
        _ = samples(&broadcast, 48_000)
        #expect(broadcast.isOver && broadcast.sentCount == 1)
        var none = make()
        none.finish()
        #expect(none.isOver)
    }
}
