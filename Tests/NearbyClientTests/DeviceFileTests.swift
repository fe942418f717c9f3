import Foundation
import Nearby
import NearbyTestSupport
import NearbyWire
import Testing

@testable import NearbyClient

/// Tests of the file that keeps a device's secret over restarts.
@Suite(.timeLimit(.minutes(1))) struct DeviceFileTests {
    private let scenario = Scenario()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "nearby-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private var path: String { folder.path + "/device" }

    private func client(_ server: String, _ file: String? = nil) throws -> NearbyClient {
        try NearbyClient(server: server, apiKey: "key-1", settings: .polling, deviceFile: file ?? path)
    }

    private func attributes() throws -> [FileAttributeKey: Any] {
        try FileManager.default.attributesOfItem(atPath: path)
    }

    /// A process that ends without unregistering, as by a power cut, leaves its registration to the next one.
    /// Numbers of reports grow from one process to the next, so that the server takes no report for an old
    /// one.
    @Test func theNextProcessIsTheSameDevice() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await scenario.makeServer()
        for _ in 0..<3 {
            let client = try client(server.url)
            _ = try await client.report(.complete)
            _ = try await client.report(Report())
            await client.shutdown()
        }
        #expect(scenario.count("/v1/devices") == 1)
        var seen = scenario.seen.makeAsyncIterator()
        _ = await seen.next()
        var numbers: [Int64] = []
        for _ in 0..<6 { numbers.append(try #require(await seen.next()?.report.number)) }
        #expect(numbers == numbers.sorted() && Set(numbers).count == 6, "\(numbers)")
        #expect(try attributes()[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["device"])
    }

    /// A device that leaves, or that the server has forgotten, registers anew.
    @Test func anUnregistrationRemovesTheFile() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await scenario.makeServer()
        let first = try client(server.url)
        _ = try await first.report(.complete)
        var unregistration = Report()
        unregistration.unregisters = true
        _ = try await first.report(unregistration)
        #expect(!FileManager.default.fileExists(atPath: path))
        await first.shutdown()

        let second = try client(server.url)
        _ = try await second.report(.complete)
        #expect(scenario.count("/v1/devices") == 2)
        scenario.report(.refusal(401))
        await #expect(throws: RegistryError.unknownDevice) { try await second.report(Report()) }
        #expect(!FileManager.default.fileExists(atPath: path))
        await second.shutdown()
    }

    /// No other server gets the secret, and a file that is none keeps nobody from registering.
    @Test(arguments: [
        "", "x", "http://elsewhere\nnbd_1_x\n0\n", "HERE\n\n0\n", "HERE\nnbd_1_x\nmany\n",
        "HERE\nnbd_1_x\n-1\n",
        "HERE\nnbd_1_x\n9223372036854775807\n", "HERE\nnbd_1_x",
    ])
    func foreignFiles(text: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await scenario.makeServer()
        try text.replacing("HERE", with: server.url).write(toFile: path, atomically: true, encoding: .utf8)
        let client = try client(server.url)
        _ = try await client.report(.complete)
        #expect(scenario.count("/v1/devices") == 1)
        #expect(DeviceFile(path: path).read(server: server.url)?.secret == "secret-1")
        await client.shutdown()
    }

    /// Where the file cannot be written, the device works without it.
    @Test func aFolderThatIsMissing() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await scenario.makeServer()
        let client = try client(server.url, folder.path + "/none/device")
        _ = try await client.report(.complete)
        #expect(DeviceFile(path: folder.path + "/none/device").write(nil) == nil)
        #expect(
            DeviceFile(path: folder.path + "/none/device").write(
                .init(server: "s", secret: "t", firstNumber: 0))?
                .hasSuffix("No such file or directory") == true)
        await client.shutdown()
    }
}
