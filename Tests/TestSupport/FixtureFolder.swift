import Foundation

/// A folder of Fixtures/: a list of test cases, one file each.
///
/// Fixtures are outside the targets, so that they are found by their path from this source file.
package struct FixtureFolder: Sendable {
    /// The folder's name, such as `encode`.
    package let name: String

    package init(_ name: String) { self.name = name }

    /// The folder Fixtures/ of the repository.
    static let root = URL(fileURLWithPath: #filePath)  // Tests/TestSupport/FixtureFolder.swift
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    /// Returns the names, without extension, of the files that have this extension, sorted.
    ///
    /// The result is empty if there is no such folder. Tests that use it therefore also require that there
    /// are cases.
    package func caseNames(withExtension pathExtension: String = "json") -> [String] {
        let folder = Self.root.appendingPathComponent(name).path
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix("." + pathExtension) }
            .map { String($0.dropLast(pathExtension.count + 1)) }.sorted()
    }

    /// Returns a file's data. Throws Foundation's error if there is no such file.
    package func data(of file: String) throws -> Data {
        try Data(contentsOf: Self.root.appendingPathComponent(name).appendingPathComponent(file))
    }

    /// Decodes `file` as JSON.
    package func decode<T: Decodable>(_ type: T.Type, from file: String) throws -> T {
        try JSONDecoder().decode(type, from: data(of: file))
    }
}
