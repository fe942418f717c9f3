import Glibc

/// The reason why a file cannot be opened or created, and the remedy. The text ends a line that begins with
/// the file's name.
package enum FileReason {
    /// - Parameter code: the `errno` of the call that failed.
    package static func reading(_ code: Int32) -> String {
        switch code {
        case ENOENT: "no such file; check the name"
        case ENOTDIR: "a part of the path before the last '/' is not a folder; check the name"
        case EISDIR: "expected a file, but this is a folder"
        case EACCES, EPERM: "no permission to read it; check its owner and mode"
        default: String(cString: strerror(code))
        }
    }

    /// - Parameter code: the `errno` of the call that failed.
    package static func creating(_ code: Int32) -> String {
        switch code {
        case ENOENT, ENOTDIR: "no such folder; create it first"
        case EISDIR: "expected a file, but this is a folder; name a file in it"
        case EACCES, EPERM: "no permission to create it; choose another folder"
        case EROFS: "its file system is read-only; choose another folder"
        case ENOSPC, EDQUOT: "no space is left; make room or choose another folder"
        default: String(cString: strerror(code))
        }
    }
}
