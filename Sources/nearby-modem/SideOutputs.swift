import AudioIO
import CommandOutput
import LiveModem

/// The sound that `listen` keeps beside the tokens: `--record` and `--snip`. A failure to write does not stop
/// listening.
struct SideOutputs {
    private var recording: LiveRecording?
    var snips: SnipFolder?

    /// Checks the outputs, before the device is opened. Throws: an error if one of them cannot be used.
    init(record: String?, snip: String?) throws {
        recording = try record.map { try LiveRecording(AudioPath($0)) }
        snips = try snip.map { try SnipFolder($0) }
    }

    /// Begins the recording once the device is open. Throws: `.inputOutput` if writing fails.
    func begin(format: AudioFormat) throws(AudioIOError) { try recording?.begin(format: format) }

    mutating func write(_ block: AudioBlock) { recording?.write(block) }

    mutating func finish(_ history: SoundHistory) {
        snips?.write(history, isEnd: true)
        recording?.finish()
    }

    /// True if some sound that was to be kept is not.
    var isIncomplete: Bool { recording?.isIncomplete ?? false || snips?.isIncomplete ?? false }
}
