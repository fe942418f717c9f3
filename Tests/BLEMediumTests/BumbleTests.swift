import BLEMedium
import Beacons
import Glibc
import Nearby
import Synchronization
import TestSupport
import Testing

/// Tests with foreign controllers and hosts: bumble's (Tools/ble/install), over sockets.
@Suite(
    .enabled(if: BumbleProcess.isInstalled, "needs Tools/ble/install"), .serialized, .timeLimit(.minutes(3)))
struct BumbleTests {
    private let token = Token(bits: 0xA0A1_A2A3_A4A5_A6A7)

    /// Two engines run over controllers with the old commands, with the new ones, and in the extended form.
    @Test(arguments: [(["--legacy-only"], false), ([], false), ([], true)])
    func aMessageGoesFromEngineToEngine(_ options: [String], _ isExtended: Bool) async throws {
        let controllers = try await VirtualControllers(2, options, in: TemporaryDirectory())
        let settings = BLEMediumSettings(isExtended: isExtended)
        let media = try controllers.paths.map { try BLEMedium(.unix(path: $0), settings: settings) }
        let registry = LocalRegistry()
        let engines = media.map { NearbyEngine(media: [$0], registry: registry.device()) }
        let events = try await engines[1].subscribe(
            to: .type("channel"), strategy: Strategy(media: [.ble], mode: .scan))
        let publication = try await engines[0].publish(
            Message("one", type: "channel"), strategy: Strategy(media: [.ble], mode: .broadcast))
        var iterator = events.makeAsyncIterator()
        guard case .found(let found)? = await iterator.next() else { throw BumbleProcess.Failure() }
        #expect(found.message.text == "one")
        await engines[0].end()
        #expect(await iterator.next() == .lost(found))
        await engines[1].end()
        _ = publication
    }

    /// A foreign host's advertisement of a token is heard; in the extended form it has three pieces.
    @Test(arguments: [false, true])
    func anotherHostsTokenIsHeard(isExtended: Bool) async throws {
        let controllers = try await VirtualControllers(2, ["--fragment", "100"], in: TemporaryDirectory())
        // The token stands in the third piece, behind 199 bytes of something else.
        let other = isExtended ? "c809" + String(repeating: "41", count: 199) : ""
        let field = "0c16f3fee0a0a1a2a3a4a5a6a7"
        let peer = try BumbleProcess(
            "host-peer",
            ["unix-client:\(controllers.paths[0])", "advertise", other + field]
                + (isExtended ? ["--extended"] : []))
        _ = try await peer.ready()
        let medium = try BLEMedium(
            .unix(path: controllers.paths[1]), settings: .init(service: BluetoothUUID(0xFEF3 as UInt16)))
        await medium.carryOut(MediumAssignment(isScanning: true))
        for await case .sighted(let sighting) in medium.events() {
            #expect(sighting.payload == .token(token) && sighting.signal.rssiDBm == -50)
            break
        }
        await medium.carryOut(.idle)
    }

    /// A foreign host hears our tokens, byte for byte, each from an address of its own, and nothing after the
    /// end.
    @Test(arguments: [["--legacy-only"], []])
    func anotherHostHearsOurs(_ options: [String]) async throws {
        let controllers = try await VirtualControllers(2, options, in: TemporaryDirectory())
        let peer = try BumbleProcess(
            "host-peer",
            ["unix-client:\(controllers.paths[1])", "scan"] + (options.isEmpty ? [] : ["--legacy"]))
        var lines = try await peer.ready()
        let medium = try BLEMedium(
            .unix(path: controllers.paths[0]), settings: .init(service: BluetoothUUID(0xFEF3 as UInt16)))
        var addresses: [String: Set<String>] = [:]
        for bits in 1...20 as ClosedRange<UInt64> {
            await medium.carryOut(assignment(Token(bits: bits)))
            let data =
                "0201060303f3fe0c16f3fee0"
                + Token(bits: bits).bytes.map { "0" + String($0, radix: 16) }
                .map { $0.suffix(2) }.joined()
            var heard = 0
            while heard < 3, let line = await lines.next() {
                let parts = line.split(separator: " ").map(String.init)
                addresses[parts[2], default: []].insert(parts[0])
                if parts[2] == data { heard += 1 }
            }
        }
        #expect(addresses.count == 20 && addresses.values.allSatisfy { $0.count == 1 })
        #expect(Set(addresses.values.joined()).count == 20)
        // The two highest bits are zero, so that nobody can trace the address.
        let firsts = addresses.values.joined().map { $0.first?.hexDigitValue ?? 15 }
        #expect(firsts.allSatisfy { $0 < 4 })
        await medium.carryOut(.idle)
        let count = Mutex(0)
        let reader = Task {
            while await lines.next() != nil { count.withLock { $0 += 1 } }
        }
        try await Task.sleep(for: .milliseconds(300))
        count.withLock { $0 = 0 }
        try await Task.sleep(for: .seconds(1))
        #expect(count.withLock { $0 } == 0)
        peer.end()
        await reader.value
    }

    /// A program that ends during a broadcast leaves nothing on air, however it ends.
    @Test(arguments: [["--legacy-only"], []], [("exit", 0), ("kill", SIGKILL)])
    func aProgramThatEndsFallsSilent(_ options: [String], _ end: (way: String, status: Int32)) async throws {
        let controllers = try await VirtualControllers(2, options, in: TemporaryDirectory())
        let peer = try BumbleProcess("host-peer", ["unix-client:\(controllers.paths[1])", "scan"])
        var lines = try await peer.ready()
        let status = try BumbleProcess.runBench(["leave", "unix-client:\(controllers.paths[0])", end.way])
        #expect(status == end.status)
        #expect(await lines.next() != nil)
        let count = Mutex(0)
        let reader = Task {
            while await lines.next() != nil { count.withLock { $0 += 1 } }
        }
        try await Task.sleep(for: .milliseconds(300))
        count.withLock { $0 = 0 }
        try await Task.sleep(for: .seconds(1))
        #expect(count.withLock { $0 } == 0)
        peer.end()
        await reader.value
    }

    /// If a controller goes away and comes back, the condition says so, and everything goes on by itself.
    @Test func aControllerThatComesBackIsUsedAgain() async throws {
        let directory = TemporaryDirectory()
        var controllers = try await VirtualControllers(2, in: directory)
        let media = try controllers.paths.map {
            try BLEMedium(.unix(path: $0), settings: .init(tellsEvery: .zero))
        }
        var events = media[1].events().makeAsyncIterator()
        await media[0].carryOut(assignment(token))
        await media[1].carryOut(MediumAssignment(isScanning: true))
        while let event = await events.next() { if case .sighted = event { break } }
        controllers.end()
        while let event = await events.next(), !event.isFailing {}
        controllers = try await VirtualControllers(2, in: directory)
        while let event = await events.next(), event != .condition(.ready) {}
        while let event = await events.next() { if case .sighted = event { break } }
        for medium in media { await medium.carryOut(.idle) }
    }

    private func assignment(_ token: Token) -> MediumAssignment {
        MediumAssignment(broadcast: .init([.token(token)], cadence: .continuous))
    }
}
