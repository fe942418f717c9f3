import NearbyServer
import NearbyServerSupport
import NearbyService
import NearbyTestSupport
import NearbyWire

@testable import NearbyServer

/// A server with one honest device, which strangers attack.
struct HostileWorld {
    let instance: Instance
    let log = LogLines()
    let key: String
    let device: WireDevice
    let folder = TemporaryFolder()

    /// - Parameters:
    ///   - change: changes the default bounds.
    ///   - random: the source of the times after which refused clients come back.
    ///   - settings: changes the default settings.
    init(
        _ change: (inout ConnectionLimits) -> Void = { _ in },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        settings: (inout NearbyServer.Settings) -> Void = { _ in }
    ) async throws {
        let store = try SQLiteStore(path: folder.path + "/nearby.sqlite")
        let project = try await store.createProject("shop")
        var secrets = SystemRandomNumberGenerator()
        let key = Secret(.key, of: project.id, random: &secrets)
        _ = try await store.addKey(key.hash, label: "", to: project.id)
        self.key = key.text
        var limits = ConnectionLimits(total: 1000)
        change(&limits)
        instance = try await Instance(store, log: log, random: random) {
            $0.limits = limits
            settings(&$0)
        }
        device = try await WireDevice(key.text, at: instance.url)
    }

    var url: String { instance.url }

    func connect(from address: String = "127.0.0.1") throws -> RawConnection {
        try RawConnection(instance.url, from: address)
    }

    /// Returns the log's lines that contain these words.
    func lines(with words: String) -> [String] { log.whole.filter { $0.contains(words) } }
}
