import AudioIO
import AudioMedium
import Dispatch
import Foundation
import GNSMessages
import NearbyClient
import NearbyOffline

/// The app of Nearby Messages' documentation beside a set-top box. It publishes to the box by scanning alone,
/// and finds the box's message.
///
///     example-app server URL KEYFILE CAPTURE TEXT           scans, as the documents have it
///     example-app offline FILE PLAYBACK CAPTURE TEXT        without a server what it publishes must sound
@main
struct ExampleApp {
    static func main() throws {
        let words = CommandLine.arguments
        guard words.count == 6, ["server", "offline"].contains(words[1]) else {
            print(
                "example-app server URL KEYFILE CAPTURE TEXT | example-app offline FILE PLAYBACK CAPTURE TEXT"
            )
            exit(64)
        }
        let isOffline = words[1] == "offline"
        try setUp(words, isOffline: isOffline)
        GNSPermission.setGranted(true)

        let messageManager: GNSMessageManager = GNSMessageManager(apiKey: isOffline ? "" : key(words[3]))
        let message = GNSMessage(content: words[5].data(using: .utf8), type: "remote")
        let publication = publish(message, with: messageManager, isOffline: isOffline)
        let subscription = messageManager.subscription(
            messageFoundHandler: { message in
                guard let message = message else { return }
                print("found \(String(data: message.content, encoding: .utf8) ?? "")")
                fflush(nil)
            },
            messageLostHandler: nil,
            paramsBlock: { params in
                params?.type = "screen"
                params?.strategy = GNSStrategy(paramsBlock: { params in
                    params?.discoveryMediums = .audio
                    params?.discoveryMode = .scan
                })
            })
        withExtendedLifetime((publication, subscription)) { dispatchMain() }
    }

    /// Returns the word in a file. A word that names no file is the key itself, which others on the machine
    /// can then read.
    private static func key(_ word: String) -> String {
        guard let text = try? String(contentsOfFile: word, encoding: .utf8) else { return word }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func publish(
        _ message: GNSMessage, with messageManager: GNSMessageManager, isOffline: Bool
    ) -> (any GNSPublication)? {
        // This is the documentation's snippet, except for the mode without a server.
        let publication = messageManager.publication(
            with: message,
            paramsBlock: { (params: GNSPublicationParams?) in
                guard let params = params else { return }
                params.strategy = GNSStrategy(paramsBlock: { (params: GNSStrategyParams?) in
                    guard let params = params else { return }
                    params.discoveryMediums = .audio
                    params.discoveryMode = isOffline ? .default : .scan
                })
            })
        return publication
    }

    /// Sets up the environment once: the devices, and the registry that matches tokens.
    private static func setUp(_ words: [String], isOffline: Bool) throws {
        var environment = GNSEnvironment()
        let path = { (name: String) -> AudioPath in name.contains("/") ? .file(name) : .device(name) }
        let settings = isOffline ? AudioMediumSettings.offline : AudioMediumSettings()
        let medium = try AudioMedium.open(
            playback: isOffline ? path(words[3]) : nil, capture: path(words[4]), settings: settings)
        environment.makeMedia = { _ in [medium] }
        if isOffline {
            let project = try OfflineProject(keyFile: String(contentsOfFile: words[2], encoding: .utf8))
            environment.makeRegistry = { _ in OfflineRegistry(project) }
        } else {
            let client = try NearbyClient(server: words[2], apiKey: key(words[3]))
            environment.makeRegistry = { _ in client }
        }
        GNSEnvironment.current = environment
    }
}
