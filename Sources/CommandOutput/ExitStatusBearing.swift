import AudioIO

/// An error whose description is one line for people and which goes with one exit code.
package protocol ExitStatusBearing: Error, CustomStringConvertible {
    var exitStatus: ExitStatus { get }
}

extension AudioIOError: ExitStatusBearing {
    package var exitStatus: ExitStatus { ExitStatus(kind) }
}
