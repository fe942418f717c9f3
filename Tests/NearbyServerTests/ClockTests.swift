import Beacons
import Foundation
import Nearby
import NearbyClient
import NearbyServer
import NearbyServerSupport
import NearbyService
import NearbyWire
import Signal
import TestSupport
import Testing

/// Tests of `nearby serve` on a machine whose clocks are wrong, are set, or stand still.
@Suite(.timeLimit(.minutes(5))) struct ClockTests {
    private let folder = TemporaryFolder()

    private func report(_ fill: (inout Report) throws -> Void) rethrows -> WireReport {
        var report = Report()
        try fill(&report)
        return WireReport(report)
    }

    /// A device that publishes, a device that subscribes, and the publisher's tokens for an hour.
    private struct Pair {
        let publisher: WireDevice
        let subscriber: WireDevice
        let tokens: [Token]

        init(_ key: String, at url: String) async throws {
            publisher = try await WireDevice(key, at: url)
            subscriber = try await WireDevice(key, at: url)
            var (said, wanted) = (Report(), Report())
            (said.isComplete, wanted.isComplete) = (true, true)
            said.published[OperationID(1)] = Publication(try Message("hello", type: "t"))
            said.wantsTokens = [.audio]
            said.takesTokensAhead = true
            wanted.subscribed[OperationID(1)] = Subscription()
            let granted = try await publisher.report(WireReport(said), at: url)
            tokens = try #require(granted.grants).map { try #require(Token($0.token)) }
            try await subscriber.report(WireReport(wanted), at: url)
        }
    }

    private func hearing(_ token: Token) -> WireReport {
        report { $0.observations = [TokenObservation(token, on: .audio, age: .zero)] }
    }

    /// A machine without a battery starts in 1970. As soon as its clock is set, it knows beacons of changing
    /// names.
    @Test func beaconsOfChangingNamesAreKnownOnceTheClockIsSet() async throws {
        var random = SystemRandomNumberGenerator()
        let identity = EphemeralIdentity(key: [UInt8](0..<16), rotationExponent: 4)!
        let now = Int64(Date().timeIntervalSince1970)
        let store = try SQLiteStore(path: folder.path + "/nearby.sqlite")
        let project = try await store.createProject("shop").id
        let key = Secret(.key, of: project, random: &random)
        _ = try await store.addKey(key.hash, label: "", to: project)
        let administration = BeaconAdministration(project, store: store)
        try await administration.register(
            RegisteredBeacon(
                BeaconName(AdvertisedID(.eddystone, [UInt8](0..<16))!), of: project,
                ephemeral: EphemeralRegistration(identity, clockSeconds: 100_000, registeredUnixSeconds: now))
        )
        let clocks = ClockShift(wallSeconds: -Double(now))
        let server = try Served(
            data: folder.path, more: ["--log-level", "warning"], isFirst: false, clocks: clocks)
        let client = try NearbyClient(server: server.url, apiKey: key.text)
        func known() async throws -> Bool {
            let elapsed = UInt32(Int64(Date().timeIntervalSince1970) - now)
            let id = AdvertisedID(.ephemeral, bytes(of: identity.identifier(atSeconds: 100_000 + elapsed)))!
            return try await !client.attachments(for: [id], types: []).isEmpty
        }
        #expect(try await !known())
        clocks.set(wallSeconds: 0)
        #expect(try await known())
        await client.shutdown()
    }

    private func bytes(of identifier: EphemeralIdentifier) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: identifier.rawValue >> (56 - 8 * UInt64($0))) }
    }

    private func verdict(_ token: Token, of key: String, at url: String) async throws -> [String]? {
        try await WireDevice(key, at: url).report(hearing(token), at: url).verdicts
    }

    /// Tokens that a device got in advance are valid after a restart, each in its time, and none for longer
    /// than it was given.
    @Test func tokensOutliveARestart() async throws {
        let clocks = ClockShift()
        var server = try Served(data: folder.path, clocks: clocks)
        let key = try #require(server.key)
        let pair = try await Pair(key, at: server.url)
        server.end(SIGTERM)
        server = try Served(data: folder.path, isFirst: false, clocks: clocks)
        #expect(try await verdict(pair.tokens[0], of: key, at: server.url) == ["valid"])
        #expect(try await verdict(pair.tokens[9], of: key, at: server.url) == ["invalid"])
        clocks.set(wallSeconds: 400, bootSeconds: 400)
        #expect(try await verdict(pair.tokens[0], of: key, at: server.url) == ["invalid"])
    }

    /// A clock that is set counts from the server's next start. The tokens of before are then none, and a
    /// device that still sends one gets others.
    @Test func tokensOfAnotherTimeAreReplaced() async throws {
        let clocks = ClockShift(wallSeconds: -Date().timeIntervalSince1970)
        var server = try Served(data: folder.path, clocks: clocks)
        let key = try #require(server.key)
        let pair = try await Pair(key, at: server.url)
        clocks.set(wallSeconds: 0)
        #expect(try await verdict(pair.tokens[0], of: key, at: server.url) == ["valid"])
        server.end(SIGTERM)
        server = try Served(data: folder.path, isFirst: false, clocks: clocks)
        #expect(try await verdict(pair.tokens[0], of: key, at: server.url) == ["invalid"])
        var said = Report()
        (said.isComplete, said.takesTokensAhead) = (true, true)
        said.published[OperationID(1)] = Publication(try Message("hello", type: "t"))
        said.playing = [PlayingToken(pair.tokens[0], on: .audio, period: .seconds(2))]
        let answer = try await pair.publisher.report(WireReport(said), at: server.url)
        let new = try #require((answer.grants?.first?.token).flatMap { Token($0) })
        #expect(try await verdict(new, of: key, at: server.url) == ["valid"])
    }

    /// The whole server stood still for a minute; no device counts as gone for that reason.
    @Test func aStallIsNobodysSilence() async throws {
        let clocks = ClockShift()
        let server = try Served(data: folder.path, clocks: clocks)
        let url = server.url
        let key = try #require(server.key)
        let pair = try await Pair(key, at: url)
        let found = try await pair.subscriber.report(hearing(pair.tokens[0]), at: url)
        #expect(found.deliveries?.map(\.change) == ["found"])
        clocks.set(wallSeconds: 0, bootSeconds: 400)
        let nothing = WireReport(Report(), mailbox: found.mailbox)
        let after = try await pair.subscriber.report(nothing, at: url)
        #expect(after.deliveries?.map(\.change) == ["found"])
        // A device that unregisters is lost all the same.
        try await pair.publisher.report(report { $0.unregisters = true }, at: url)
        let last = try await pair.subscriber.report(nothing, at: url)
        #expect(last.deliveries?.map(\.change) == ["found", "lost"])
    }
}
