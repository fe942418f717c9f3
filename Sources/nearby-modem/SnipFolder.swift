import AcousticModem
import AudioIO
import CommandOutput
import Glibc
import LiveModem

/// A folder that keeps the seconds around each token as WAV files, for a bug report.
///
///     snip/2026-01-31T12-00-00.000Z_dsss_0102030405060708.wav
struct SnipFolder {
    /// The time before a frame's start and after its end.
    private static let marginSeconds = 1.0
    /// The history's length: enough for the longest frame, and for the time until it is reported.
    static let historySeconds = 20.0

    private struct Snip {
        var frames: Range<Int>
        var name: String
    }

    private let directory: String
    private var pending: [Snip] = []
    /// The number of files that could not be written, and whether the last one could not.
    private var lostCount = 0
    private var isFailing = false

    /// True if a file is missing.
    var isIncomplete: Bool { lostCount > 0 }

    /// Makes the folder if it does not exist. Throws: `.cannotCreate`, `.noPermission`.
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
        case ENOTDIR: CommandFailure(.cannotCreate, "\(directory): is not a folder; name another one")
        case EROFS:
            CommandFailure(.cannotCreate, "\(directory): its file system is read-only; name another folder")
        default:
            CommandFailure(
                .cannotCreate, "\(directory): cannot be created: \(String(cString: strerror(code)))")
        }
    }

    /// - Parameters:
    ///   - startSeconds: the start of the sound to keep, in seconds from the first captured frame.
    ///   - words: the words of the file's name after the time.
    mutating func keep(
        startSeconds: Double, durationSeconds: Double, moment: Double, words: String, format: AudioFormat
    ) {
        let rateHz = Double(format.sampleRateHz)
        let first = Int((startSeconds - SnipFolder.marginSeconds) * rateHz)
        let last = Int((startSeconds + durationSeconds + SnipFolder.marginSeconds) * rateHz)
        // Not every system allows colons in names.
        let time = WallClock.text(moment).replacing(":", with: "-")
        pending.append(Snip(frames: max(0, first)..<max(1, last), name: "\(time)_\(words).wav"))
    }

    /// Writes the files whose last frame has come; at the end, all of them. A failure is reported once, until
    /// writing succeeds again.
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
                    StandardError.write("\(error.description); this snip is lost, but listening continues")
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
