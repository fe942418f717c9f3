import Glibc

// The system calls that take a name, with names in the text form of FileName. Swift prefers them to Glibc's
// own wherever a String is passed and this module is imported.

@discardableResult
package func open(_ name: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    FileName.withPath(name) { Glibc.open($0, flags, mode) }
}

@discardableResult
package func fopen(_ name: String, _ mode: String) -> UnsafeMutablePointer<FILE>? {
    FileName.withPath(name) { Glibc.fopen($0, mode) }
}

@discardableResult
package func stat(_ name: String, _ status: inout stat) -> Int32 {
    FileName.withPath(name) { stat($0, &status) }
}

@discardableResult
package func lstat(_ name: String, _ status: inout stat) -> Int32 {
    FileName.withPath(name) { Glibc.lstat($0, &status) }
}

@discardableResult
package func access(_ name: String, _ mode: Int32) -> Int32 {
    FileName.withPath(name) { Glibc.access($0, mode) }
}

@discardableResult
package func chmod(_ name: String, _ mode: mode_t) -> Int32 {
    FileName.withPath(name) { Glibc.chmod($0, mode) }
}

@discardableResult
package func mkdir(_ name: String, _ mode: mode_t) -> Int32 {
    FileName.withPath(name) { Glibc.mkdir($0, mode) }
}

@discardableResult
package func unlink(_ name: String) -> Int32 {
    FileName.withPath(name) { Glibc.unlink($0) }
}

@discardableResult
package func rename(_ old: String, _ new: String) -> Int32 {
    FileName.withPath(old) { old in FileName.withPath(new) { Glibc.rename(old, $0) } }
}

@discardableResult
package func linkat(
    _ oldFolder: Int32, _ old: String, _ newFolder: Int32, _ new: String, _ flags: Int32
) -> Int32 {
    FileName.withPath(old) { old in
        FileName.withPath(new) { Glibc.linkat(oldFolder, old, newFolder, $0, flags) }
    }
}

/// Returns the name with all links resolved; `nil`, with the reason in `errno`, if there is none.
@discardableResult
package func realpath(_ name: String) -> String? {
    guard let real = FileName.withPath(name, { Glibc.realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return FileName.text(real)
}

/// Returns the target of a symbolic link; `nil`, with the reason in `errno`, if the file is no link.
package func readlink(_ name: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = FileName.withPath(name) { name in
        bytes.withUnsafeMutableBytes { Glibc.readlink(name, $0.baseAddress!, $0.count) }
    }
    return count > 0 ? FileName.text(Array(bytes.prefix(count))) : nil
}
