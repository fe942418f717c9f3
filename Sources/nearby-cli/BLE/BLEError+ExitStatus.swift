import BLEMedium
import CommandOutput
import Nearby

extension BLEError: ExitStatusBearing {
    package var exitStatus: ExitStatus { kind.exitStatus }
}

extension BLEError.Kind {
    var exitStatus: ExitStatus {
        switch self {
        case .usage: .usage
        case .noPermission: .noPermission
        case .unavailable, .poweredOff, .failing: .unavailable
        }
    }

    /// The name of the kind in JSON.
    var name: String {
        switch self {
        case .usage: "usage"
        case .noPermission: "noPermission"
        case .unavailable: "unavailable"
        case .poweredOff: "poweredOff"
        case .failing: "failing"
        }
    }
}

extension MediumCondition.Obstacle {
    var exitStatus: ExitStatus { self == .forbidden ? .noPermission : .unavailable }
}
