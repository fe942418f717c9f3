import AudioIO
import CommandOutput
import LiveModem

/// The sound that `listen` keeps beside the tokens: `--record` and `--snip`. Neither stops it when writing fails.
struct SideOutputs {
    private var recording: LiveRecording?
    var snips: SnipFolder?

    /// Before the device is opened. Throws: when one of them cannot be used.
    init(record: String?, snip: String?) throws {
        recording = try record.map { try LiveRecording(AudioPath($0)) }
        snips = try snip.map { try SnipFolder($0) }
    }

    /// The device is open. Throws: writing failed.
    func begin(format: AudioFormat) throws(AudioIOError) { try recording?.begin(format: format) }

    mutating func write(_ block: AudioBlock) { recording?.write(block) }

    mutating func finish(_ history: SoundHistory) {
        snips?.write(history, isEnd: true)
        recording?.finish()
    }

    /// Whether something that was to be kept is not.
    var isIncomplete: Bool { recording?.isIncomplete ?? false || snips?.isIncomplete ?? false }
}
