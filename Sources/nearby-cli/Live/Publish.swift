import ArgumentParser
import CommandOutput
import Nearby
import NearbyOffline
import Synchronization

struct Publish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publish a message to nearby devices, by sound or Bluetooth, until Ctrl-C.",
        discussion: """
            Two shells, one room, one message:

              nearby publish 'in the hall' --type place --key-file shop.key
              nearby subscribe --type place --key-file shop.key

            The API key is for a server. Without a server, give --offline FILE to both commands instead; the whole \
            message is then sent by sound, at most \(OfflineRegistry.messageByteLimit(isSigned: false)) bytes with its \
            type and namespace, \(OfflineRegistry.messageByteLimit(isSigned: true)) if signed.
            """)

    @Argument(help: "Content of the message.")
    var text: String

    @Option(help: ArgumentHelp("Type of the message, at most 32 characters.", valueName: "name"))
    var type = ""

    @Option(help: ArgumentHelp("Namespace of the message.", valueName: "name"))
    var namespace = ""

    @Option(
        help: ArgumentHelp(
            "With --offline: sign the message with this key file ('nearby offline signer').",
            valueName: "file")
    )
    var signer: String?

    @OptionGroup var options: ClientOptions

    func validate() throws {
        guard signer == nil || options.registry.offline != nil else {
            throw ValidationError("--signer needs --offline")
        }
        guard options.registry.offline == nil || !options.onlyScan else {
            throw ValidationError(
                "--only-scan needs a server: without one, a publisher must broadcast to be found")
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
                    .unavailable, "not published: the time was too short; give more --seconds"))
        }
    }
}
