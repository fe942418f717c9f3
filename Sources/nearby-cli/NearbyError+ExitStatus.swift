import CommandOutput
import Nearby

extension NearbyError: ExitStatusBearing {
    package var exitStatus: ExitStatus { .usage }
}
