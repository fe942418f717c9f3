import Glibc
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
        let client = try NearbyClient(server: words[1], apiKey: text(of: words[2]))
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

    /// Returns the first word in a file.
    private static func text(of file: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let handle = open(file, O_RDONLY | O_CLOEXEC)
        defer { close(handle) }
        let text = String(decoding: bytes[..<max(0, read(handle, &bytes, bytes.count))], as: UTF8.self)
        return String(text.prefix { !$0.isWhitespace })
    }
}
