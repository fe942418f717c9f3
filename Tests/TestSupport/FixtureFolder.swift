import Foundation

/// A folder of Fixtures/: a list of test cases, a file each.
///
/// Fixtures stand outside the targets, so they are found by climbing from this source file.
public struct FixtureFolder: Sendable {
    /// Such as `encode`.
    public let name: String

    public init(_ name: String) { self.name = name }

    /// Fixtures/ of the repository.
    static let root = URL(fileURLWithPath: #filePath)  // Tests/TestSupport/FixtureFolder.swift
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    /// Names without extension of the files that have it, sorted.
    ///
    /// Empty where there is no such folder: tests over it also require that there are cases.
    public func caseNames(withExtension pathExtension: String = "json") -> [String] {
        let folder = Self.root.appendingPathComponent(name).path
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix("." + pathExtension) }
            .map { String($0.dropLast(pathExtension.count + 1)) }.sorted()
    }

    /// Throws: Foundation's error if there is no such file.
    public func data(of file: String) throws -> Data {
        try Data(contentsOf: Self.root.appendingPathComponent(name).appendingPathComponent(file))
    }

    /// Decodes `file` as JSON.
    public func decode<T: Decodable>(_ type: T.Type, from file: String) throws -> T {
        try JSONDecoder().decode(type, from: data(of: file))
    }
}
