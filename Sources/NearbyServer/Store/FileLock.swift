import Glibc

/// A lock on a file. One holder at a time has it, in this process or another, until the last reference is
/// gone.
final class FileLock: Sendable {
    private let file: CInt

    /// Takes the lock. Returns `nil` while another holder has it, or if the file cannot be made.
    init?(_ path: String) {
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        if flock(file, LOCK_EX | LOCK_NB) != 0 { return nil }
    }

    deinit { if file >= 0 { close(file) } }
}
