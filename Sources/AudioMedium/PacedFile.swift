import AudioIO
import Glibc

/// A file in the place of a device: it takes and gives samples no faster than they sound.
private struct Pace {
    private let start = ContinuousClock.now
    private var frames = 0
    private let rateHz: Double

    init(_ format: AudioFormat) { rateHz = Double(format.sampleRateHz) }

    /// Returns when so many more have sounded.
    mutating func wait(_ count: Int) {
        frames += count
        let left = Double(frames) / rateHz - start.duration(to: .now) / .seconds(1)
        if left > 0 { usleep(UInt32(min(left, 1) * 1e6)) }
    }
}

/// What a loudspeaker would have played, in a WAV or a pipe.
final class PacedSink: AudioSink {
    private let file: WAVWriter
    private var pace: Pace

    /// - Parameter inputs: files that are read meanwhile: none of them is replaced.
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

/// What a microphone would have heard, out of a WAV or a pipe; after its end, silence.
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

    /// In a microphone's place a file needs a header: there is no `--raw` that its reader could recommend.
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
