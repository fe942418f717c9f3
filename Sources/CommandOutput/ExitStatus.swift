import AudioIO

/// The exit codes of all programs. They are those of `sysexits.h`, and 1 if the work was done but found
/// nothing. The README of this target states the whole rule.
package enum ExitStatus: Int32 {
    /// The work was done without a result: no token was heard or sent, nobody was found, or no waveform
    /// works.
    case nothingHeard = 1
    /// The command line asks for something that does not exist.
    case usage = 64
    /// The input exists but cannot be used.
    case badData = 65
    /// An input file does not exist or cannot be opened.
    case noInput = 66
    /// A device, a server or a system feature is missing.
    case unavailable = 69
    /// The program itself has a fault.
    case internalError = 70
    /// An output cannot be created.
    case cannotCreate = 73
    /// Reading or writing failed midway, for example because the disk is full.
    case inputOutput = 74
    /// The same command may work later.
    case temporary = 75
    /// The system or a server refuses the request.
    case noPermission = 77
    /// A configuration file asks for something that does not exist.
    case configuration = 78
    /// The reader of standard output has gone. The code is that of a program that SIGPIPE killed.
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
