import FoundationEssentials
import Glibc
import Logging
import NearbyWire

/// The log of what administrators changed: one JSON object a line.
///
///     {"action":"expel","device":"3f…","project":"shop","result":"done","time":"…Z","uid":0,"user":"root"}
struct AuditLog: Sendable {
    /// A change, complete but for its result.
    struct Entry: Encodable, Sendable {
        var action: String
        var project: String?
        var device: String?
        var devices: String?
        var user: String?
        var uid: UInt32
        var time = ""
        var result = ""
    }

    /// The path of a file to append to; `nil` for the server's own log.
    let path: String?
    let logger: Logger

    /// Checks that a line could be appended.
    ///
    /// - Throws: ``AdministrationProblem``.
    func check() throws(AdministrationProblem) { try open().map { _ = close($0) } }

    /// Makes a change and notes its result. Nothing is changed if the log cannot be opened.
    ///
    /// - Throws: ``AdministrationProblem``; the errors of `change`, which are noted too.
    func note<Value>(_ entry: Entry, of change: () async throws -> Value) async throws -> Value {
        // The file is opened for each line: there are few, and a log rotation needs no signal.
        let file = try open()
        defer { file.map { _ = close($0) } }
        do {
            let value = try await change()
            write(entry, "done", to: file)
            return value
        } catch {
            write(entry, "\(error)", to: file)
            throw error
        }
    }

    private func open() throws(AdministrationProblem) -> CInt? {
        guard let path else { return nil }
        let file = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let code = errno
            throw AdministrationProblem(
                "\(path): the audit log cannot be written: \(String(cString: strerror(code)))",
                isOfPermission: code == EACCES || code == EPERM)
        }
        return file
    }

    private func write(_ entry: Entry, _ result: String, to file: CInt?) {
        var entry = entry
        entry.result = result
        entry.time = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let line = WireCoding.encode(entry)
        guard let file else {
            logger.notice("audit", metadata: ["entry": "\(String(decoding: line, as: UTF8.self))"])
            return
        }
        let bytes = Array(line) + [UInt8(ascii: "\n")]
        // One call, so that lines of several processes do not mix.
        guard Glibc.write(file, bytes, bytes.count) != bytes.count else { return }
        logger.error(
            "the audit log is not written",
            metadata: [
                "entry": "\(String(decoding: line, as: UTF8.self))",
                "error": "\(String(cString: strerror(errno)))",
            ])
    }
}
