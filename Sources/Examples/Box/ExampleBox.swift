import AudioIO
import Glibc
import Nearby
import NearbyOffline
import SetTopBox

/// The whole of a set-top box: it broadcasts by sound, and prints what apps that hear it publish.
///
///     example-box server URL KEYFILE PLAYBACK        found by apps that only scan
///     example-box offline FILE PLAYBACK CAPTURE      without a server: it listens too
@main
struct ExampleBox {
    static func main() async throws {
        guard let configuration = try configuration(CommandLine.arguments) else {
            print("example-box server URL KEYFILE PLAYBACK | example-box offline FILE PLAYBACK CAPTURE")
            exit(64)
        }
        let box = try SetTopBox(configuration)
        try await box.start()
        for await arrived in box.messages {
            print(arrived.message.text)
            fflush(nil)
        }
    }

    private static func configuration(_ words: [String]) throws -> BoxConfiguration? {
        guard words.count == 5 else { return nil }
        let announcement = try Message("living room", type: "screen")
        switch words[1] {
        case "server":
            return BoxConfiguration(
                registry: .server(.init(url: words[2], apiKey: key(words[3]))), announcement: announcement,
                receives: .type("remote"), sound: BoxSound(playback: path(words[4])))
        case "offline":
            let project = try OfflineProject(keyFile: text(of: words[2]))
            return BoxConfiguration(
                registry: .offline(.init(project: project)), announcement: announcement,
                receives: .type("remote"),
                sound: BoxSound(playback: path(words[3]), capture: path(words[4])))
        default: return nil
        }
    }

    /// Returns an ALSA device, or a WAV file or pipe in its place.
    private static func path(_ name: String) -> AudioPath {
        name.contains("/") ? .file(name) : .device(name)
    }

    /// Returns the word in a file. A word that names no file is the key itself, which others on the machine
    /// can then read.
    private static func key(_ word: String) -> String {
        access(word, R_OK) == 0 ? String(text(of: word).prefix { !$0.isWhitespace }) : word
    }

    private static func text(of file: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let handle = open(file, O_RDONLY | O_CLOEXEC)
        defer { close(handle) }
        return String(decoding: bytes[..<max(0, read(handle, &bytes, bytes.count))], as: UTF8.self)
    }
}
