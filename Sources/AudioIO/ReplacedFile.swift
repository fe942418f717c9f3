import Glibc

/// The mode and owner that a new file takes over from the file that it replaces.
struct ReplacedFile {
    private let mode: mode_t
    private let owner: uid_t
    private let group: gid_t

    init(_ status: stat) {
        mode = status.st_mode & 0o7777
        (owner, group) = (status.st_uid, status.st_gid)
    }

    /// Gives the new file, open as `descriptor`, the old one's mode, and its owner and group if this process
    /// may: only root gives files away, but anyone may give them to a group of their own. Returns false if
    /// the mode cannot be set; `errno` then holds the reason.
    func handDown(to descriptor: Int32) -> Bool {
        if fchown(descriptor, owner, group) != 0 {
            // The group alone is still useful; without it the file belongs to its maker, like any new file.
            _ = fchown(descriptor, uid_t.max, group)
        }
        // The mode comes after the owner, because a change of owner clears the bits of set-user-id programs.
        return fchmod(descriptor, mode) == 0
    }
}
