import Foundation
import Nearby
import NearbyClient

/// A program with a medium of its own: it publishes a message to the devices on its network, and prints
/// theirs.
///
///     example-lan URL KEYFILE MESSAGE
@main
struct ExampleLAN {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4 else {
            print("example-lan URL KEYFILE MESSAGE")
            exit(64)
        }
        let key = try String(contentsOfFile: words[2], encoding: .utf8)
        let client = try NearbyClient(
            server: words[1], apiKey: key.trimmingCharacters(in: .whitespacesAndNewlines))
        let engine = NearbyEngine(media: [try MulticastMedium()], registry: client)
        let strategy = Strategy(media: [.lan])
        let publication = try await engine.publish(Message(words[3], type: "hello"), strategy: strategy)
        for await event in try await engine.subscribe(to: .type("hello"), strategy: strategy) {
            switch event {
            case .found(let one): print("found \(one.message.text)")
            case .lost(let one): print("lost \(one.message.text)")
            default: break
            }
            fflush(nil)
        }
        await publication.end()
    }
}
