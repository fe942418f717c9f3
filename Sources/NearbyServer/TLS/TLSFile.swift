import Glibc

/// A certificate or a key cannot be used.
public struct TLSProblem: Error, CustomStringConvertible {
    /// The file, and what is wrong with it.
    public let description: String
}

/// A file of a certificate or a key, read as a whole.
enum TLSFile {
    private static let largest = 1 << 20

    /// - Parameter kind: what the file should hold, for the error.
    static func read(_ path: String, _ kind: String) throws(TLSProblem) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw problem(path, kind) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw problem(path, kind) }
            bytes += chunk[..<count]
            guard bytes.count <= largest else {
                throw TLSProblem(
                    description: "\(kind) \(path): more than \(largest) bytes, which no PEM file has")
            }
        }
    }

    /// Whether users other than the owner and its group may read the file; nil when nobody knows.
    static func isOpenToOthers(_ path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & 0o007 != 0
    }

    private static func problem(_ path: String, _ kind: String) -> TLSProblem {
        TLSProblem(description: "\(kind) \(path): \(String(cString: strerror(errno)))")
    }
}
