import Foundation

/// Keeps what must outlive the process: the user's permission and background operations. Safe to use from several threads.
public protocol GNSStateStore: Sendable {
    /// What was last set; nil where nothing was, or where it cannot be read.
    func data(for key: String) -> Data?
    /// Nil removes it. All of it is kept or nothing.
    func set(_ data: Data?, for key: String) throws
}

/// One file for each key, which only its owner can read.
public struct GNSFileStore: GNSStateStore {
    /// Where the files are, each named by its key; made with the first of them.
    public let directory: URL

    /// As given: nothing is read or made yet.
    public init(directory: URL) { self.directory = directory }

    /// `$XDG_STATE_HOME/nearby/<program>`, or `~/.local/state/nearby/<program>` (XDG Base Directory Specification 0.8).
    public static var standard: GNSFileStore {
        let environment = ProcessInfo.processInfo.environment
        // What is not absolute is to be ignored.
        let named = ["XDG_STATE_HOME", "HOME"].map { name in
            environment[name].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        }
        let home = named[1] ?? FileManager.default.homeDirectoryForCurrentUser
        let state = named[0] ?? home.appendingPathComponent(".local/state")
        let program = ProcessInfo.processInfo.processName
        return GNSFileStore(
            directory: state.appendingPathComponent("nearby").appendingPathComponent(program))
    }

    public func data(for key: String) -> Data? { try? Data(contentsOf: file(key)) }

    public func set(_ data: Data?, for key: String) throws {
        guard let data else {
            if FileManager.default.fileExists(atPath: file(key).path) {
                try FileManager.default.removeItem(at: file(key))
            }
            return
        }
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // Nobody else's from the first byte on, and whole or not at all.
        let part = directory.appendingPathComponent(".\(key).\(UUID().uuidString)")
        guard
            FileManager.default.createFile(
                atPath: part.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        do {
            try data.write(to: part)
            guard rename(part.path, file(key).path) == 0 else {
                throw POSIXError(.init(rawValue: errno) ?? .EIO)
            }
        } catch {
            try? FileManager.default.removeItem(at: part)
            throw error
        }
    }

    private func file(_ key: String) -> URL { directory.appendingPathComponent(key) }
}

/// Forgets everything when the process ends.
public final class GNSMemoryStore: GNSStateStore {
    private let values = Locked<[String: Data]>([:])

    /// Empty, and of nobody else.
    public init() {}

    public func data(for key: String) -> Data? { values.withLock { $0[key] } }
    public func set(_ data: Data?, for key: String) { values.withLock { $0[key] = data } }
}
