import Glibc

/// A file that keeps the device's secret over restarts, so that a device which loses its power stays the same
/// device at its server. A fleet that comes back after a power cut then does not register anew.
///
///     https://nearby.example.com       the server that issued the secret, and the only one that gets it
///     nbd_1_k3f…                       the secret
///     2199023255552                    the first report number that no earlier process has used
///
/// Only the owner can read the file. It is replaced as a whole, so that a power cut leaves the old or the new
/// one.
struct DeviceFile: Sendable {
    /// The contents of the file.
    struct Registration: Sendable, Hashable {
        var server: String
        var secret: String
        var firstNumber: Int64
    }

    /// The report numbers that one process may use.
    static let numbersPerProcess: Int64 = 1 << 40
    private static let largestFile = 4096

    let path: String

    /// Returns the registration at this server; `nil` if there is none, or the file cannot be read.
    func read(server: String) -> Registration? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: DeviceFile.largestFile)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count > 0, let text = String(validating: bytes[..<count], as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 3, lines[0] == server, !lines[1].isEmpty, let number = Int64(lines[2]),
            number >= 0, number <= .max - DeviceFile.numbersPerProcess
        else { return nil }
        return Registration(server: server, secret: String(lines[1]), firstNumber: number)
    }

    /// Writes the file, or removes it.
    ///
    /// Returns the reason why that failed; `nil` if it did not.
    func write(_ registration: Registration?) -> String? {
        guard let registration else {
            return unlink(path) == 0 || errno == ENOENT ? nil : reason(path)
        }
        let text = "\(registration.server)\n\(registration.secret)\n\(registration.firstNumber)\n"
        let new = path + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return reason(new) }
        let bytes = Array(text.utf8)
        let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        let isClosed = close(file) == 0
        guard isWritten, isClosed, rename(new, path) == 0 else { return reason(new) }
        return nil
    }

    private func reason(_ path: String) -> String { "\(path): \(String(cString: strerror(errno)))" }
}
