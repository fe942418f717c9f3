import FileNames
import Glibc

/// A directory for one test, removed with everything in it when the object is released.
package final class TemporaryDirectory {
    package let path: String

    package init() {
        var template = Array("/tmp/nearby-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("no directory can be made in /tmp") }
        path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    deinit {
        for name in names {
            unlink(file(name))
            rmdir(file(name))
        }
        rmdir(path)
    }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of all files in it, hidden ones too, sorted.
    package var names: [String] {
        guard let listing = opendir(path) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { FileName.text($0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Writes `bytes` to a file of that name and returns its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) -> String {
        guard let handle = fopen(file(name), "wb") else { fatalError("\(file(name)) cannot be created") }
        defer { fclose(handle) }
        guard fwrite(bytes, 1, bytes.count, handle) == bytes.count else { fatalError("\(name) not written") }
        return file(name)
    }

    /// Returns all bytes of the file of that name; `nil` if there is none.
    package func read(_ name: String) -> [UInt8]? {
        guard let handle = fopen(file(name), "rb") else { return nil }
        defer { fclose(handle) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&chunk, 1, chunk.count, handle), count > 0 { bytes += chunk[..<count] }
        return bytes
    }
}
