import AcousticModem
import AudioIO
import Glibc
import Signal
import Testing

@testable import LiveModem

/// A source from memory, in periods.
private final class Tape: AudioSource {
    let format = AudioFormat(sampleRateHz: 48_000, channelCount: 1)
    let replacedSampleCount = 0
    private var samples: ArraySlice<Float>
    private let failure: AudioIOError?

    init(_ samples: [Float], failure: AudioIOError? = nil) {
        (self.samples, self.failure) = (samples[...], failure)
    }

    func read(into block: inout AudioBlock) throws(AudioIOError) -> Bool {
        if samples.isEmpty, let failure { throw failure }
        let part = samples.prefix(480)
        samples = samples.dropFirst(480)
        block.resize(to: part.count)
        block.withMutableChannel(0) { for (n, sample) in part.enumerated() { $0[n] = sample } }
        return !part.isEmpty
    }
}

@Suite struct ListenerTests {
    private func sound(of token: [UInt8]) throws -> [Float] {
        let silence = [Float](repeating: 0, count: 24_000)
        return try silence + Transmitter(profile: .dsssQuick).waveform(of: token) + silence
    }

    @Test func tokensComeAsAStream() async throws {
        let listener = try Listener(Tape(sound(of: [1, 2]) + sound(of: [3, 4])), profiles: [.dsssQuick])
        var tokens: [[UInt8]] = []
        for try await sighting in listener.sightings { tokens.append(sighting.report.token) }
        #expect(tokens == [[1, 2], [3, 4]])
    }

    /// A failure to read on is thrown after the tokens that were heard.
    @Test func failuresAreThrown() async throws {
        let failure = AudioIOError(.inputOutput, .device("x"), "broke")
        let listener = try Listener(
            Tape(sound(of: [5]) + sound(of: [6]), failure: failure), profiles: [.dsssQuick])
        var tokens: [[UInt8]] = []
        await #expect(throws: failure) {
            for try await sighting in listener.sightings { tokens.append(sighting.report.token) }
        }
        #expect(tokens.first == [5])
    }
}

@Suite struct BandSpectrumTests {
    /// A sine of half amplitude has −6 dB in its band, and nothing a kilohertz off.
    @Test func levels() throws {
        let step = 2 * Double.pi * 19_000 / 48_000
        let samples = (0..<9600).map { Float(0.5 * sin(step * Double($0))) }
        var spectrum = BandSpectrum(sampleRateHz: 48_000)
        let inside = spectrum.levelDBFS(samples, bandHz: 18_500...20_000)
        #expect(abs(try #require(inside) + 6.02) < 0.05)
        let beside = spectrum.levelDBFS(samples, bandHz: 16_000...18_000)
        #expect(try #require(beside) < -60)
        let short = spectrum.levelDBFS([0, 0], bandHz: 18_500...20_000)
        #expect(short == nil)
    }
}

@Suite struct SoundHistoryTests {
    @Test func theLastFramesAreKept() {
        var history = SoundHistory(format: AudioFormat(sampleRateHz: 10, channelCount: 2), seconds: 1)
        var block = AudioBlock(channelCount: 2, capacity: 7)
        for first in [0, 7, 14] {
            block.resize(to: 7)
            for channel in 0..<2 {
                block.withMutableChannel(channel) {
                    for n in 0..<7 { $0[n] = Float(100 * channel + first + n) }
                }
            }
            history.add(block)
        }
        #expect(history.end == 21)
        #expect(history.channel(0, frames: 15..<18) == [15, 16, 17])
        #expect(history.channel(1, frames: 0..<13) == [111, 112])
        let kept = history.block(18..<40)
        #expect(kept.frameCount == 3 && kept.withChannel(1) { Array($0) } == [118, 119, 120])
    }
}
