import ChannelSim
import Signal
import Testing

@testable import AcousticModem

/// Tests of the choice of the channels that are heard jointly.
@Suite struct ChannelSelectionTests {
    /// Returns the channels chosen from two seconds of noise.
    ///
    /// - Parameter gains: the amplitude of each channel's noise.
    /// - Parameter copies: the channels whose sound is another's, with that channel.
    private func chosen(_ gains: [Float], copies: [Int: Int] = [:]) -> [Int] {
        let piece = 240
        var sources = gains.indices.map { NoiseSource(seed: UInt64($0) + 1) }
        var selection = ChannelSelection(channelCount: gains.count)
        var basebands = gains.map { _ in BasebandWindow() }
        for _ in 0..<20 {
            var sounds = gains.indices.map { channel in
                (0..<piece).map { _ in
                    Complex(
                        gains[channel] * sources[channel].next(), gains[channel] * sources[channel].next())
                }
            }
            for (copy, original) in copies {
                // It is quieter, and its phase is another.
                sounds[copy] = sounds[original].map { $0 * Complex(0, 0.5) }
            }
            for channel in gains.indices { basebands[channel].append(sounds[channel]) }
            _ = selection.add(piece, of: basebands)
        }
        return selection.chosen.indices.map { selection.chosen[$0] }
    }

    @Test func independentChannelsAreHeardJointly() { #expect(chosen([1, 0.7, 1.2]) == [0, 1, 2]) }

    @Test func aDeadChannelIsLeftOut() {
        #expect(chosen([1, 0, 1]) == [0, 2])
        #expect(chosen([0, 0]) == [])
    }

    @Test func aChannelFarNoisierIsLeftOut() { #expect(chosen([1, 10, 1.1]) == [0, 2]) }

    /// A deaf microphone has little noise of its own, but the others are more.
    @Test func aDeafMicrophoneIsLeftOut() { #expect(chosen([1, 0.01, 1.1]) == [0, 2]) }

    @Test func theSameSoundCountsOnce() {
        #expect(chosen([1, 1], copies: [1: 0]) == [0])
        #expect(chosen([1, 1, 1], copies: [2: 0]) == [0, 1])
    }

    @Test func ofManyTheQuietestAreHeard() {
        #expect(chosen([1.5, 1, 1.1, 2, 1.2, 0.9, 1.6, 1.7]) == [1, 2, 4, 5])
    }
}
