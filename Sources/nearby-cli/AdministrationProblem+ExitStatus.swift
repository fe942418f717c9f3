import CommandOutput
import NearbyServer

extension AdministrationProblem: ExitStatusBearing {
    package var exitStatus: ExitStatus { isOfPermission ? .noPermission : .cannotCreate }
}
