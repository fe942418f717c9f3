import Glibc

/// Mode and owner that a new file takes over from the one that it replaces.
struct ReplacedFile {
    private let mode: mode_t
    private let owner: uid_t
    private let group: gid_t

    init(_ status: stat) {
        mode = status.st_mode & 0o7777
        (owner, group) = (status.st_uid, status.st_gid)
    }

    /// Gives the new file, open as `descriptor`, the old one's mode, and owner and group where this process may: only root
    /// gives files away, anyone gives them to a group of their own. False when the mode cannot be set; then errno says why.
    func handDown(to descriptor: Int32) -> Bool {
        if fchown(descriptor, owner, group) != 0 {
            // The group alone is worth having; without it the file is its maker's, as a new one is.
            _ = fchown(descriptor, uid_t.max, group)
        }
        // After the owner: changing that takes away the bits of set-user-id programs.
        return fchmod(descriptor, mode) == 0
    }
}
