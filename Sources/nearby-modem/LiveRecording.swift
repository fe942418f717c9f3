import AudioIO
import CommandOutput

/// A file with all captured sound. If it can take no more, this is reported once, and listening goes on.
struct LiveRecording {
    private let path: AudioPath
    private let recording: GrowingRecording
    /// True if the file lacks some of the captured sound.
    private(set) var isIncomplete = false

    /// Checks that there can be such a file, and changes nothing in an existing one. Throws: `.cannotCreate`,
    /// `.noPermission` or `.unfitOutput`.
    init(_ path: AudioPath) throws(AudioIOError) {
        self.path = path
        recording = try GrowingRecording(path)
    }

    /// Replaces the file's contents. Throws: `.inputOutput` if writing fails.
    func begin(format: AudioFormat) throws(AudioIOError) { try recording.begin(format: format) }

    mutating func write(_ block: AudioBlock) {
        recording.write(block)
        tellFailure()
    }

    mutating func finish() {
        recording.finish()
        tellFailure()
    }

    private mutating func tellFailure() {
        guard !isIncomplete, let failure = recording.failure else { return }
        isIncomplete = true
        let seconds = FixedPoint.text(recording.seconds, places: 1)
        StandardError.write(
            "\(failure); the recording ends after \(seconds) s and is kept, and listening continues")
    }
}
