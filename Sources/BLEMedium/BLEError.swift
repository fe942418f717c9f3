import Glibc
import Nearby

/// The reason why a radio cannot be used, in one line.
public struct BLEError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A coarse class of the reason, enough for exit codes and for the engine.
    public enum Kind: Sendable, Hashable {
        /// The radio's name is not understood: exit code 64.
        case usage
        /// The system forbids the use of the radio: exit code 77.
        case noPermission
        /// The radio is not there, or is in use: exit code 69.
        case unavailable
        /// The radio is there but switched off.
        case poweredOff
        /// The radio broke off, or its answers make no sense.
        case failing
    }

    /// The class by which a caller decides; people read ``description``.
    public var kind: Kind
    /// A text that says what was expected, what came and what to do.
    public var description: String

    /// - Parameter description: one line for people.
    public init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }

    /// Returns the error for a system call that failed with `code`.
    static func system(_ code: Int32, _ what: String, hint: String = "") -> BLEError {
        let kind: Kind
        switch code {
        case EPERM, EACCES: kind = .noPermission
        case ERFKILL: kind = .poweredOff
        case EPIPE, ECONNRESET, EIO: kind = .failing
        default: kind = .unavailable
        }
        return BLEError(kind, "\(what): \(String(cString: strerror(code)))\(hint.isEmpty ? "" : "; \(hint)")")
    }
}

extension MediumCondition.Obstacle {
    /// Returns the obstacle that the engine sees for a radio's error. A radio that is not there may come back
    /// and is tried again. It therefore counts as failing, not as missing: the engine does not ask again for
    /// a missing medium.
    init(_ error: BLEError) {
        switch error.kind {
        case .noPermission: self = .forbidden
        case .poweredOff: self = .poweredOff
        case .usage, .unavailable, .failing: self = .failing
        }
    }
}
