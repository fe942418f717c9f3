import AudioIO

/// Exit codes of all programs: those of `sysexits.h`, and 1 for work that was done and found nothing. The whole rule is in this
/// target's README.
package enum ExitStatus: Int32 {
    /// The work was done, and there was nothing: no token heard or sent, nobody found, no waveform that works.
    case nothingHeard = 1
    /// The command line asks for something that there is not.
    case usage = 64
    /// The input is there, and cannot be used.
    case badData = 65
    /// An input file does not exist or cannot be opened.
    case noInput = 66
    /// A device, a server or a system feature is missing.
    case unavailable = 69
    /// A fault of the program itself.
    case internalError = 70
    /// An output cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed half-way, as on a full disk.
    case inputOutput = 74
    /// The same command may work later.
    case temporary = 75
    /// The system or a server refuses.
    case noPermission = 77
    /// A configuration file asks for something that there is not.
    case configuration = 78
    /// Whoever read standard output has gone: as a program that SIGPIPE ends.
    case readerGone = 141

    package init(_ kind: AudioIOError.Kind) {
        self =
            switch kind {
            case .noSuchInput: .noInput
            case .badData: .badData
            case .unavailable: .unavailable
            case .noPermission: .noPermission
            case .cannotCreate: .cannotCreate
            case .wouldReplaceInput, .unfitOutput: .usage
            case .inputOutput: .inputOutput
            case .readerGone: .readerGone
            }
    }
}
