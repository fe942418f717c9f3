import CommandOutput
import Glibc

/// A CSV file from which a long curve is resumed. Its first line states the measurement; a file of another
/// curve is refused.
struct CurveLog {
    private let path: String
    private(set) var points: [CurvePoint] = []

    /// - Parameter heading: a line that states the measurement, and the line of the columns' names.
    init(path: String, heading: [String]) throws(CommandFailure) {
        self.path = path
        guard let file = fopen(path, "r+") else {
            guard errno == ENOENT else { throw CurveLog.failure(path, .noInput) }
            try append(heading.joined(separator: "\n"))
            return
        }
        defer { fclose(file) }
        var lines: [String] = []
        var (wholeBytes, part) = (0, "")
        var buffer = [CChar](repeating: 0, count: 4096)
        while fgets(&buffer, Int32(buffer.count), file) != nil {
            let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            let line = String(decoding: bytes, as: UTF8.self)
            // A killed program or a full disk leaves an incomplete line: that point is measured again.
            guard line.hasSuffix("\n") else {
                part = line
                break
            }
            wholeBytes += bytes.count
            lines.append(String(line.dropLast()))
        }
        guard lines.first == heading.first || (lines.isEmpty && heading[0].hasPrefix(part)) else {
            throw CommandFailure(
                .badData,
                "\(path): holds another curve; expected its first line to be '\(heading[0])': name a new file"
            )
        }
        guard ftruncate(fileno(file), wholeBytes) == 0 else { throw CurveLog.failure(path, .inputOutput) }
        let missing = heading.dropFirst(lines.count)
        if !missing.isEmpty { try append(missing.joined(separator: "\n")) }
        points = lines.compactMap(CurvePoint.init(csv:))
    }

    func append(_ point: CurvePoint) throws(CommandFailure) { try append(point.csv) }

    private func append(_ line: String) throws(CommandFailure) {
        guard let file = fopen(path, "a") else { throw CurveLog.failure(path, .cannotCreate) }
        let isWritten = fputs("\(line)\n", file) >= 0
        guard fclose(file) == 0, isWritten else { throw CurveLog.failure(path, .inputOutput) }
    }

    private static func failure(_ path: String, _ status: ExitStatus) -> CommandFailure {
        switch errno {
        case EACCES, EPERM: CommandFailure(.noPermission, "\(path): no permission to read and write it")
        case ENOENT, ENOTDIR: CommandFailure(.cannotCreate, "\(path): no such directory; create it first")
        case EISDIR: CommandFailure(.cannotCreate, "\(path): is a directory; name a file in it")
        default:
            CommandFailure(
                status, "\(path): \(String(cString: strerror(errno))); free some space or write elsewhere")
        }
    }
}
