import AcousticModem
import AudioIO
import CommandOutput
import Glibc
import LiveModem

/// Keeps the seconds around what was heard as WAV files, for a bug report.
///
///     snip/2026-01-31T12-00-00.000Z_dsss_0102030405060708.wav
struct SnipFolder {
    /// Before a frame's start and after its end.
    private static let marginSeconds = 1.0
    /// Enough for the longest frame and what comes after it before it is reported.
    static let historySeconds = 20.0

    private struct Snip {
        var frames: Range<Int>
        var name: String
    }

    private let directory: String
    private var pending: [Snip] = []

    /// Makes the folder if it is not there. Throws: cannot create.
    init(_ directory: String) throws(CommandFailure) {
        self.directory = directory
        guard mkdir(directory, 0o777) != 0, errno != EEXIST else { return }
        throw CommandFailure(
            .cannotCreate, "\(directory): cannot be made a folder: \(String(cString: strerror(errno)))")
    }

    /// - Parameters:
    ///   - start: of what is to be kept, in seconds from the first frame that was captured.
    ///   - words: what its name says after the moment.
    mutating func keep(
        startSeconds: Double, durationSeconds: Double, moment: Double, words: String, format: AudioFormat
    ) {
        let rateHz = Double(format.sampleRateHz)
        let first = Int((startSeconds - SnipFolder.marginSeconds) * rateHz)
        let last = Int((startSeconds + durationSeconds + SnipFolder.marginSeconds) * rateHz)
        // Colons are no part of names that every system bears.
        let time = WallClock.text(moment).replacing(":", with: "-")
        pending.append(Snip(frames: max(0, first)..<max(1, last), name: "\(time)_\(words).wav"))
    }

    /// Writes those whose last frame has come; all of them at the end.
    mutating func write(_ history: SoundHistory, isEnd: Bool = false) throws(AudioIOError) {
        while let snip = pending.first(where: { isEnd || $0.frames.upperBound <= history.end }) {
            pending.removeAll { $0.name == snip.name }
            let block = history.block(snip.frames)
            guard block.frameCount > 0 else { continue }
            var format = history.format
            format.frameCount = block.frameCount
            let writer = try WAVWriter(.file("\(directory)/\(snip.name)"), format: format, encoding: .pcm24)
            try writer.write(block)
            try writer.finish()
        }
    }
}
