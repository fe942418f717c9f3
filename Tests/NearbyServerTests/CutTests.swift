import Foundation
import Nearby
import NearbyClient
import NearbyServer
import NearbyServerSupport
import NearbyService
import NearbyTestSupport
import TestSupport
import Testing

/// Tests of engines whose connection to the server is cut and restored, again and again.
@Suite(.timeLimit(.minutes(1))) struct CutTests {
    private let air = Air()
    private let folder = TemporaryFolder()

    private func makeEngine(_ port: Int, _ key: String) throws -> NearbyEngine {
        var (engine, client) = (EngineSettings(), NearbyClientSettings())
        // A device may report five times a second.
        engine.heartbeat = .milliseconds(400)
        engine.retry = .milliseconds(200)...(.milliseconds(400))
        client.reconnect = .milliseconds(100)...(.milliseconds(400))
        client.answerTimeout = .milliseconds(300)
        return NearbyEngine(
            media: [air.driver(.audio)],
            registry: try NearbyClient(server: "http://127.0.0.1:\(port)", apiKey: key, settings: client),
            settings: engine)
    }

    /// One subscriber's view of the publications.
    private struct View: Sendable {
        var found: [PublicationID: String] = [:]
        var duplicates = 0

        mutating func take(_ event: SubscriptionEvent) {
            switch event {
            case .found(let one):
                if found.updateValue(one.message.text, forKey: one.id) != nil { duplicates += 1 }
            case .updated(let one):
                if found.updateValue(one.message.text, forKey: one.id) == nil { duplicates += 1 }
            case .lost(let one): if found.removeValue(forKey: one.id) == nil { duplicates += 1 }
            default: break
            }
        }
    }

    private func wait(_ view: Locked<View>, for text: String) async throws -> Duration {
        let start = ContinuousClock.now
        while view.withLock({ Array($0.found.values) }) != [text] {
            guard start.duration(to: .now) < .bound(.seconds(10)) else { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        return start.duration(to: .now)
    }

    /// After each cut the subscriber knows the publisher's latest message. It still knows it when reports
    /// that were sent before the end of the cut arrive late.
    @Test(arguments: CutProxy.Cut.allCases)
    func whatIsPublishedIsKnownAfterEachCut(cut: CutProxy.Cut) async throws {
        let store = try SQLiteStore(path: folder.path + "/nearby.sqlite")
        var random = SystemRandomNumberGenerator()
        let key = Secret(.key, of: try await store.createProject("shop").id, random: &random)
        _ = try await store.addKey(key.hash, label: "", to: key.project)
        let server = try await Instance(store)
        let proxy = try await CutProxy(to: "127.0.0.1", port: try #require(URL(string: server.url)?.port))
        let (anna, ben) = (try makeEngine(proxy.port, key.text), try makeEngine(proxy.port, key.text))
        let view = Locked(View())
        let events = try await ben.subscribe()
        let reader = Task { for await event in events { view.withLock { $0.take(event) } } }
        let publication = try await anna.publish(Message("0"))
        _ = try await wait(view, for: "0")
        for round in 1...3 {
            proxy.begin(cut)
            for change in 0..<5 {
                try await publication.update(Message("\(round)/\(change)"))
                try await Task.sleep(for: .milliseconds(300))
            }
            proxy.end()
            air.advance(by: .zero)
            try await publication.update(Message("\(round)"))
            // The limit allows for the longest back-off, an answer that does not come, and as much for the
            // machine.
            #expect(try await wait(view, for: "\(round)") < .bound(.seconds(2)))
            try await Task.sleep(for: .milliseconds(1500))
            #expect(view.withLock { Array($0.found.values) } == ["\(round)"])
        }
        #expect(view.withLock { $0.duplicates } == 0)
        reader.cancel()
        await anna.end()
        await ben.end()
        await proxy.close()
        await server.end()
    }
}
