import AcousticModem
import CommandOutput

extension TokenError: ExitStatusBearing {
    package var exitStatus: ExitStatus { .usage }
}
