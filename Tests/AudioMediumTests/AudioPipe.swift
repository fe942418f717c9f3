import AudioIO
import Foundation

/// A loudspeaker before a microphone: both run as fast as they can, each waiting for the other.
final class AudioPipe: @unchecked Sendable {
    private let condition = NSCondition()
    private var samples: [Float] = []
    private var isClosed = false
    static let limit = 4800

    func write(_ block: UnsafeBufferPointer<Float>) {
        condition.lock()
        defer { condition.unlock() }
        while samples.count > AudioPipe.limit, !isClosed {
            // Nobody listens: time goes on all the same.
            guard condition.wait(until: Date(timeIntervalSinceNow: 0.02)) else { break }
        }
        if samples.count > AudioPipe.limit { samples.removeAll() }
        samples += block
        condition.broadcast()
    }

    /// Returns the available samples, at most `count`; silence if nothing is played.
    func read(_ count: Int) -> [Float] {
        condition.lock()
        defer { condition.unlock() }
        if samples.isEmpty { _ = condition.wait(until: Date(timeIntervalSinceNow: 0.01)) }
        guard !samples.isEmpty else { return [Float](repeating: 0, count: count) }
        let first = Array(samples.prefix(count))
        samples.removeFirst(first.count)
        condition.broadcast()
        return first
    }

    final class Sink: AudioSink {
        let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2)
        private let pipe: AudioPipe

        init(_ pipe: AudioPipe) { self.pipe = pipe }

        func write(_ block: AudioBlock) { block.withChannel(1) { pipe.write($0) } }
        func finish() {}
    }

    final class Source: AudioSource {
        let format = AudioFormat(sampleRateHz: 48_000, channelCount: 1)
        let replacedSampleCount = 0
        private let pipe: AudioPipe

        init(_ pipe: AudioPipe) { self.pipe = pipe }

        func read(into block: inout AudioBlock) -> Bool {
            let samples = pipe.read(block.capacity)
            block.resize(to: samples.count)
            block.withMutableChannel(0) { _ = $0.update(fromContentsOf: samples) }
            return true
        }
    }
}
