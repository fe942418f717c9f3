import AudioIO
import Glibc

/// The pace of a file in the place of a device: it takes and gives samples no faster than they sound.
private struct Pace {
    private let start = ContinuousClock.now
    private var frames = 0
    private let rateHz: Double

    init(_ format: AudioFormat) { rateHz = Double(format.sampleRateHz) }

    /// Returns when `count` more frames would have sounded.
    mutating func wait(_ count: Int) {
        frames += count
        let left = Double(frames) / rateHz - start.duration(to: .now) / .seconds(1)
        if left > 0 { usleep(UInt32(min(left, 1) * 1e6)) }
    }
}

/// A sink that writes a loudspeaker's sound to a WAV or a pipe.
final class PacedSink: AudioSink {
    private let file: WAVWriter
    private var pace: Pace

    /// - Parameter inputs: the files that are read meanwhile: none of them is replaced.
    init(_ path: AudioPath, inputs: [AudioPath]) throws(AudioIOError) {
        file = try WAVWriter(
            path, format: AudioFormat(sampleRateHz: 48_000, channelCount: 1), inputs: inputs)
        pace = Pace(file.format)
    }

    var format: AudioFormat { file.format }

    func write(_ block: AudioBlock) throws(AudioIOError) {
        try file.write(block)
        pace.wait(block.frameCount)
    }

    func finish() throws(AudioIOError) { try file.finish() }
}

/// A source that reads a microphone's sound from a WAV or a pipe; after its end it gives silence.
final class PacedSource: AudioSource {
    private let file: WAVReader
    private var pace: Pace

    init(_ path: AudioPath) throws(AudioIOError) {
        do throws(AudioIOError) {
            file = try WAVReader(path)
        } catch {
            throw PacedSource.withoutRawHint(error)
        }
        pace = Pace(file.format)
    }

    /// Removes the advice on `--raw` from an error: a file in a microphone's place needs a header, and there
    /// is no such option.
    private static func withoutRawHint(_ error: AudioIOError) -> AudioIOError {
        var error = error
        let parts = error.reason.split(separator: "; ").filter { !$0.contains("--raw") }
        if !parts.isEmpty { error.reason = parts.joined(separator: "; ") }
        return error
    }

    var format: AudioFormat { file.format }
    var replacedSampleCount: Int { file.replacedSampleCount }

    func read(into block: inout AudioBlock) throws(AudioIOError) -> Bool {
        let isOver = try !file.read(into: &block)
        if isOver { block.resize(to: 0) }
        pace.wait(isOver ? format.sampleRateHz / 50 : block.frameCount)
        return true
    }
}
