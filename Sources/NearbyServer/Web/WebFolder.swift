import FileNames
import Glibc

/// An error for a folder that cannot be served as a web page.
package struct WebProblem: Error, Hashable, CustomStringConvertible {
    /// One line that names the folder or the file, what is wrong with it, and what to do.
    package let description: String
}

/// A reader of the files of a folder. It ignores folders in it and files that are no part of a web page.
struct WebFolder {
    /// The highest number of bytes of all files together, which are kept in memory.
    private static let largest = 64 << 20

    private let path: String

    init(_ path: String) { self.path = path }

    /// Returns the files by name. There is an `index.html` among them.
    func files() throws(WebProblem) -> [String: WebFile] {
        let names = try names()
        guard names.contains("index.html") else {
            throw WebProblem(description: "\(path): no index.html in it: make it with Tools/web")
        }
        var (files, left) = ([String: WebFile](), WebFolder.largest)
        for name in names {
            guard let type = WebFile.type(ofName: name), let bytes = try read(name, &left) else { continue }
            var file = WebFile(type: type, bytes)
            for coding in [ContentCoding.brotli, .gzip] where names.contains(name + coding.suffix) {
                if let bytes = try read(name + coding.suffix, &left) { file.add(bytes, packedBy: coding) }
            }
            files[name] = file
        }
        return files
    }

    private func names() throws(WebProblem) -> Set<String> {
        guard let folder = FileName.withPath(path, { opendir($0) }) else {
            throw WebProblem(
                description: "\(path): \(String(cString: strerror(errno))): make it with Tools/web")
        }
        defer { closedir(folder) }
        var names: Set<String> = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { FileName.text($0) }
            }
            names.insert(name)
        }
        return names
    }

    /// Reads a file; returns `nil` if it is no regular file.
    ///
    /// - Parameter left: The number of bytes for which there is room.
    private func read(_ name: String, _ left: inout Int) throws(WebProblem) -> [UInt8]? {
        let file = "\(path)/\(name)"
        // Opening a pipe must not wait for its writer; a pipe is no file of a page.
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw problem(file) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw problem(file) }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard status.st_size <= left else {
            throw WebProblem(
                description: "\(path): more than \(WebFolder.largest >> 20) MiB in it, which no page needs")
        }
        guard let bytes = readRest(of: descriptor, upTo: Int(status.st_size)) else { throw problem(file) }
        guard bytes.count == status.st_size else {
            throw WebProblem(description: "\(file): became shorter while it was read: try again")
        }
        left -= bytes.count
        return bytes
    }

    private func problem(_ file: String) -> WebProblem {
        WebProblem(description: "\(file): \(String(cString: strerror(errno)))")
    }
}
