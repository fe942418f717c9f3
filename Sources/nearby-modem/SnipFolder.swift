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
    /// Files that could not be written, and whether the last one could not.
    private var lostCount = 0
    private var isFailing = false

    /// Whether a file is missing.
    var isIncomplete: Bool { lostCount > 0 }

    /// Makes the folder if it is not there. Throws: cannot create, no permission.
    init(_ directory: String) throws(CommandFailure) {
        self.directory = directory
        let made = mkdir(directory, 0o777)
        guard made == 0 || errno == EEXIST else { throw SnipFolder.failure(directory, errno) }
        var status = stat()
        guard stat(directory, &status) == 0 else { throw SnipFolder.failure(directory, errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw SnipFolder.failure(directory, ENOTDIR) }
        guard access(directory, W_OK | X_OK) == 0 else { throw SnipFolder.failure(directory, errno) }
    }

    private static func failure(_ directory: String, _ code: Int32) -> CommandFailure {
        switch code {
        case EACCES, EPERM:
            CommandFailure(.noPermission, "\(directory): no permission to write there; name another folder")
        case ENOENT:
            CommandFailure(.cannotCreate, "\(directory): the folder it is in is missing; create that first")
        case ENOTDIR: CommandFailure(.cannotCreate, "\(directory): is no folder; name another one")
        case EROFS:
            CommandFailure(.cannotCreate, "\(directory): its file system is read-only; name another folder")
        default:
            CommandFailure(
                .cannotCreate, "\(directory): cannot be made a folder: \(String(cString: strerror(code)))")
        }
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

    /// Writes those whose last frame has come; all of them at the end. Where writing fails it says so once, until it succeeds.
    mutating func write(_ history: SoundHistory, isEnd: Bool = false) {
        while let snip = pending.first(where: { isEnd || $0.frames.upperBound <= history.end }) {
            pending.removeAll { $0.name == snip.name }
            let block = history.block(snip.frames)
            guard block.frameCount > 0 else { continue }
            do throws(AudioIOError) {
                try write(block, history.format, to: "\(directory)/\(snip.name)")
                isFailing = false
            } catch {
                lostCount += 1
                if !isFailing {
                    StandardError.write("\(error.description); this snip is lost, listening goes on")
                }
                isFailing = true
            }
        }
        if isEnd, lostCount > 0 {
            StandardError.write("\(directory): \(lostCount) \(lostCount == 1 ? "snip" : "snips") lost")
        }
    }

    private func write(_ block: AudioBlock, _ format: AudioFormat, to name: String) throws(AudioIOError) {
        var format = format
        format.frameCount = block.frameCount
        let writer = try WAVWriter(.file(name), format: format, encoding: .pcm24)
        try writer.write(block)
        try writer.finish()
    }
}
