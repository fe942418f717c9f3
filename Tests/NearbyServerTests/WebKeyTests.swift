import Foundation
import NearbyServerSupport
import NearbyService
import NearbyTestSupport
import Testing

@testable import NearbyServer

/// Tests of keys that a page shows to everybody, over HTTP, with every store.
@Suite(.timeLimit(.minutes(2))) struct WebKeyTests {
    private static let shop = "https://shop.example"

    private struct World {
        let place: StorePlace
        let store: any ServiceStore
        let project: Project
        /// The key of the server's own page, and the key of the shop's pages.
        let own, foreign: WebKey
        let instance: Instance

        init(_ kind: StoreKind, limits: ServiceSettings = ServiceSettings()) async throws {
            place = try kind.place()
            store = try await place.open()
            project = try await store.createProject("shop")
            own = try await World.key([], of: project, in: store)
            foreign = try await World.key([shop], of: project, in: store)
            instance = try await Instance(store, limits: limits)
        }

        private static func key(
            _ origins: [String], of project: Project, in store: any ServiceStore
        ) async throws -> WebKey {
            var random = SystemRandomNumberGenerator()
            let secret = Secret(.webKey, of: project.id, random: &random)
            let web = WebKey(text: secret.text, origins: origins)
            let key = try await store.addKey(secret.hash, label: "", web: web, to: project.id)
            #expect(key.web == web)
            return web
        }

        /// Sends a request, with the `Host` that a browser would send.
        func ask(
            _ line: String, _ key: WebKey?, origin: String?, from address: String = "127.0.0.1",
            to other: Instance? = nil, _ more: [String] = []
        ) async throws -> String {
            let client = try RawConnection((other ?? instance).url, from: address)
            let headers = origin.map { ["Origin: \($0)"] } ?? []
            await client.send(
                line, bearer: key?.text, headers + more + ["Connection: close", "Content-Length: 0"])
            return try await client.read()
        }

        func id(of key: WebKey) async throws -> KeyID {
            try #require(try await store.keys(of: project.id).first { $0.web == key }).id
        }
    }

    @Test(arguments: StoreKind.allCases) func onlySomePagesMay(_ kind: StoreKind) async throws {
        let world = try await World(kind)
        for (key, origin, status, words) in [
            (world.own, "http://localhost", "201", "nbd_"), (world.own, "https://localhost", "201", "nbd_"),
            (world.own, nil, "403", "expected the Origin of one, came none"),
            (world.own, "null", "403", "for the server's own page, not for those of 'null'"),
            (world.own, "https://evil.example", "403", "not for those of 'https://evil.example'"),
            (world.foreign, Self.shop, "201", "nbd_"), (world.foreign, "HTTPS://Shop.Example", "201", "nbd_"),
            (world.foreign, nil, "403", "came none"), (world.foreign, "null", "403", "of 'null'"),
            (world.foreign, "http://localhost", "403", "for other pages, not for those of"),
            (world.foreign, "http://shop.example", "403", "for other pages"),
        ] as [(WebKey, String?, String, String)] {
            let answer = try await world.ask("POST /v1/devices", key, origin: origin)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(origin ?? "none"): \(answer)")
            #expect(answer.contains(words), "\(origin ?? "none"): \(answer)")
        }
        let question = try await world.ask("POST /v1/beacons:getforobserved", world.own, origin: nil)
        #expect(question.hasPrefix("HTTP/1.1 403"), "\(question)")
        let asked = try await world.ask(
            "POST /v1/beacons:getforobserved", world.own, origin: "http://localhost")
        #expect(asked.hasPrefix("HTTP/1.1 400"), "\(asked)")
        // The secret is a key and not a device's.
        let events = try await world.ask("GET /v1/events", world.own, origin: "http://localhost")
        #expect(events.hasPrefix("HTTP/1.1 401"), "\(events)")
        await world.instance.end()
    }

    /// Scripts of these pages may use the server like those of `--allow-origin`, with the key and with the
    /// secrets that they get for it.
    @Test func pagesOfWebKeysAreAnswered() async throws {
        let world = try await World(.sqlite)
        for (origin, isAnswered) in [(Self.shop, true), ("https://evil.example", false)] {
            let preflight = try await world.ask(
                "OPTIONS /v1/report", nil, origin: origin, ["Access-Control-Request-Method: POST"])
            #expect(preflight.contains("Access-Control-Allow-Origin: \(origin)\r\n") == isAnswered)
            let answer = try await world.ask("POST /v1/devices", world.foreign, origin: origin)
            #expect(answer.contains("Access-Control-Allow-Origin: \(origin)\r\n") == isAnswered)
            #expect(preflight.contains("Vary: Origin") && answer.contains("Vary: Origin"))
        }
        await world.instance.end()
    }

    @Test(arguments: StoreKind.allCases) func revokedWebKeysOpenNothing(_ kind: StoreKind) async throws {
        let world = try await World(kind)
        #expect(try await world.store.webOrigins() == [Self.shop])
        #expect(try await world.store.revokeKey(world.id(of: world.foreign)))
        let answer = try await world.ask("POST /v1/devices", world.foreign, origin: Self.shop)
        #expect(answer.hasPrefix("HTTP/1.1 401"), "\(answer)")
        #expect(try await world.store.webOrigins().isEmpty)
        // The other key is unchanged.
        let own = try await world.ask("POST /v1/devices", world.own, origin: "http://localhost")
        #expect(own.hasPrefix("HTTP/1.1 201"), "\(own)")
        await world.instance.end()
    }

    /// The server serves the project's apps, whatever pages do.
    @Test func registrationsOfAWebKeyAreBounded() async throws {
        var limits = ServiceSettings()
        limits.registrationsPerWebKey = .init(perSecond: 0.001, atOnce: 10)
        let world = try await World(.sqlite, limits: limits)
        var statuses: [String] = []
        for _ in 0..<12 {
            let answer = try await world.ask("POST /v1/devices", world.own, origin: "http://localhost")
            statuses.append(String(answer.dropFirst(9).prefix(3)))
            if statuses.last == "429" {
                #expect(answer.contains("too many registrations with this web key"), "\(answer)")
                #expect(answer.contains("Retry-After: "), "\(answer)")
            }
        }
        // Half is for everybody, and one of the other half is for this network.
        #expect(statuses.prefix(5).allSatisfy { $0 == "201" } && statuses.last == "429", "\(statuses)")
        let other = try await world.ask(
            "POST /v1/devices", world.own, origin: "http://localhost", from: "127.1.0.1")
        #expect(other.hasPrefix("HTTP/1.1 201"), "another network: \(other)")
        let foreign = try await world.ask("POST /v1/devices", world.foreign, origin: Self.shop)
        #expect(foreign.hasPrefix("HTTP/1.1 201"), "another key: \(foreign)")
        await world.instance.end()
    }

    /// The instance that receives the request checks which page asks; the instance that owns the project does
    /// not check again.
    @Test func anotherInstanceServesTheProject() async throws {
        let world = try await World(.postgres)
        let mine = try await world.ask("POST /v1/devices", world.own, origin: "http://localhost")
        #expect(mine.hasPrefix("HTTP/1.1 201"), "\(mine)")
        let other = try await Instance(try await world.place.open())
        for (origin, status) in [("http://localhost", "201"), ("https://evil.example", "403")] {
            let answer = try await world.ask("POST /v1/devices", world.own, origin: origin, to: other)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
        }
        await other.end()
        await world.instance.end()
    }
}
