import Glibc
import Nearby

/// Why a radio cannot be used: one line.
public struct BLEError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What stands in the way, as coarse as exit codes and the engine need it.
    public enum Kind: Sendable, Hashable {
        /// Its name says nothing: exit code 64.
        case usage
        /// The system forbids it: 77.
        case noPermission
        /// It is not there, or in use: 69.
        case unavailable
        /// It is there, and switched off.
        case poweredOff
        /// It broke off, or answers with nonsense.
        case failing
    }

    /// What a caller decides by; people read ``description``.
    public var kind: Kind
    /// What was expected, what came, what to do.
    public var description: String

    /// - Parameter description: one line for people.
    public init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }

    /// After a system call failed with `code`.
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
    /// What a radio that fails is to the engine. One that is not there may come back, and is tried again: so it is failing, not
    /// missing, for which the engine would not ask again.
    init(_ error: BLEError) {
        switch error.kind {
        case .noPermission: self = .forbidden
        case .poweredOff: self = .poweredOff
        case .usage, .unavailable, .failing: self = .failing
        }
    }
}
