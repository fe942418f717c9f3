import Glibc

/// A text under `Fixtures/` that a program's output is held to. With an environment variable set it is written anew.
public struct TextFixture {
    private let path: String
    private let isUpdated: Bool

    public enum Failure: Error {
        case notThere(String)
        case notWritten(String)
    }

    /// - Parameter variable: of the environment, as `UPDATE_HELP`.
    public init(_ name: String, _ variable: String) {
        path = Repository.path("Fixtures/\(name)")
        isUpdated = getenv(variable) != nil
    }

    /// What the file holds; `text`, when it is to be written anew.
    public func recorded(_ text: String) throws -> String {
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
