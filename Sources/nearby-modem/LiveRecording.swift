import AudioIO
import CommandOutput

/// All that is captured, as a file. Where it can take no more it says so once, and listening goes on.
struct LiveRecording {
    private let path: AudioPath
    private let recording: GrowingRecording
    /// Whether the file lacks some of what was captured.
    private(set) var isIncomplete = false

    /// Checks that there can be such a file, and changes nothing in one that is there. Throws: cannot create, no permission.
    init(_ path: AudioPath) throws(AudioIOError) {
        self.path = path
        recording = try GrowingRecording(path)
    }

    /// Replaces what was in the file. Throws: writing failed.
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
            "\(failure); the recording ends after \(seconds) s and is kept, listening goes on")
    }
}
