import Foundation

/// A store for the state that must outlive the process: the user's permission and background operations. It
/// is safe to use from several threads.
public protocol GNSStateStore: Sendable {
    /// Returns the value that was last set, or `nil` if there is none or if it cannot be read.
    func data(for key: String) -> Data?
    /// Sets a value; `nil` removes it. The store keeps all of it or nothing.
    func set(_ data: Data?, for key: String) throws
}

/// A store with one file for each key, which only its owner can read.
public struct GNSFileStore: GNSStateStore {
    /// The directory of the files, each named by its key. It is made together with the first file.
    public let directory: URL

    /// Makes a store that has neither read nor made anything yet.
    public init(directory: URL) { self.directory = directory }

    /// `$XDG_STATE_HOME/nearby/<program>`, or `~/.local/state/nearby/<program>` (XDG Base Directory
    /// Specification 0.8).
    public static var standard: GNSFileStore {
        let environment = ProcessInfo.processInfo.environment
        // The specification says that paths that are not absolute are to be ignored.
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
        // Nobody else can read the file from its first byte on, and the file is written completely or not at
        // all.
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

/// A store that forgets everything when the process ends.
public final class GNSMemoryStore: GNSStateStore {
    private let values = Locked<[String: Data]>([:])

    /// Makes an empty store that nobody else shares.
    public init() {}

    public func data(for key: String) -> Data? { values.withLock { $0[key] } }
    public func set(_ data: Data?, for key: String) { values.withLock { $0[key] = data } }
}
