import FileNames
import Glibc

/// Operations on files that only their owner may use, whatever the umask was when they were made.
enum PrivateFiles {
    /// Makes an empty file of mode 0600 if there is none. A failure shows when the file is opened.
    static func create(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
    }

    /// Removes the rights of other users from each existing file.
    ///
    /// It does not use a descriptor: closing one would drop the locks that SQLite has on the same file.
    ///
    /// - Returns: A line for people for each file to which others keep rights because somebody else owns it.
    static func tighten(_ paths: [String]) -> [String] {
        paths.compactMap { path in
            guard isOpen(path), chmod(path, 0o600) != 0 else { return nil }
            let reason = String(cString: strerror(errno))
            return "\(path): others may read or change it, and it cannot be made private: \(reason)"
        }
    }

    /// Returns a line for people if others may enter a folder; `nil` if they may not.
    static func warning(folder: String) -> String? {
        isOpen(folder) ? "\(folder): others may enter this folder: chmod 700 \(folder)" : nil
    }

    private static func isOpen(_ path: String) -> Bool {
        var state = stat()
        return stat(path, &state) == 0 && state.st_mode & 0o077 != 0
    }
}
