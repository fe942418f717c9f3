import AudioIO

/// Exit codes, those of `sysexits.h`.
package enum ExitStatus: Int32 {
    /// `decode` heard no token; `probe` found no waveform that works.
    case nothingHeard = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    case cannotCreate = 73
    case inputOutput = 74
    case noPermission = 77

    package init(_ kind: AudioIOError.Kind) {
        self =
            switch kind {
            case .noSuchInput: .noInput
            case .badData: .badData
            case .unavailable: .unavailable
            case .noPermission: .noPermission
            case .cannotCreate: .cannotCreate
            case .inputOutput: .inputOutput
            }
    }
}
