import Foundation

/// Gone with its last holder.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = "/tmp/nearby-\(UUID().uuidString.prefix(12))"
        try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
