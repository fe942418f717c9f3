import Glibc

/// A text under `Fixtures/` with which a program's output is compared. If an environment variable is set, the
/// text is written anew.
package struct TextFixture {
    private let path: String
    private let isUpdated: Bool

    package enum Failure: Error {
        case notThere(String)
        case notWritten(String)
    }

    /// - Parameter variable: the environment variable, such as `UPDATE_HELP`.
    package init(_ name: String, _ variable: String) {
        path = Repository.path("Fixtures/\(name)")
        isUpdated = getenv(variable) != nil
    }

    /// Returns the file's text; `text` if the file is written anew.
    package func recorded(_ text: String) throws -> String {
        if isUpdated {
            guard let file = fopen(path, "w") else { throw Failure.notWritten(path) }
            defer { fclose(file) }
            guard fputs(text, file) >= 0 else { throw Failure.notWritten(path) }
        }
        guard let file = fopen(path, "r") else { throw Failure.notThere(path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
