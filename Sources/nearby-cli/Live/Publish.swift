import ArgumentParser
import CommandOutput
import Nearby
import NearbyOffline
import Synchronization

struct Publish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publish a message to whoever is near, by sound or Bluetooth, until Ctrl-C.",
        discussion: """
            Two shells, one room, one message:

              nearby publish 'in the hall' --type place --key-file shop.key
              nearby subscribe --type place --key-file shop.key

            The key is a server's. Without one, both have --offline FILE instead, and the message goes by sound as a whole: \
            \(OfflineRegistry.messageByteLimit(isSigned: false)) bytes at most with its type and namespace, \
            \(OfflineRegistry.messageByteLimit(isSigned: true)) signed.
            """)

    @Argument(help: "The message's content.")
    var text: String

    @Option(help: ArgumentHelp("Its type, at most 32 characters.", valueName: "name"))
    var type = ""

    @Option(help: ArgumentHelp("Its namespace.", valueName: "name"))
    var namespace = ""

    @Option(
        help: ArgumentHelp("With --offline: sign with this key ('nearby offline signer').", valueName: "file")
    )
    var signer: String?

    @OptionGroup var options: ClientOptions

    func validate() throws {
        guard signer == nil || options.registry.offline != nil else {
            throw ValidationError("--signer needs --offline")
        }
        guard options.registry.offline == nil || !options.onlyScan else {
            throw ValidationError("--only-scan needs a server: without one only who is heard is found")
        }
        try options.settings(for: .broadcast).validate()
    }

    func run() async throws {
        let message = try Message(text, type: type, namespace: namespace)
        let settings = options.settings(for: .broadcast)
        if let signer { try settings.protectInputs([signer]) }
        let live = try LiveEngine(settings, signer: signer.map { try PublisherKey(file: $0) })
        let isPublished = Atomic(false)
        try await live.run {
            let publication = try await live.engine.publish(
                Publication(message, strategy: settings.strategy),
                onStatus: {
                    guard $0 == .active else { return }
                    isPublished.store(true, ordering: .relaxed)
                    StandardError.write("published")
                })
            while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
            await publication.end()
        }
        guard isPublished.load(ordering: .relaxed) else {
            throw live.failure(
                or: CommandFailure(
                    .unavailable, "not published: there was no time to; give it more --seconds"))
        }
    }
}
