import ArgumentParser
import CommandOutput
import Nearby

struct Publish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publish a message to whoever is near, by sound and a server, until Ctrl-C.",
        discussion: """
            Two shells, one room, one message:

              nearby publish 'in the hall' --type place --key KEY
              nearby subscribe --type place --key KEY
            """)

    @Argument(help: "The message's content.")
    var text: String

    @Option(help: ArgumentHelp("Its type, at most 32 characters.", valueName: "name"))
    var type = ""

    @Option(help: ArgumentHelp("Its namespace.", valueName: "name"))
    var namespace = ""

    @OptionGroup var options: ClientOptions

    func run() async throws {
        let message = try Message(text, type: type, namespace: namespace)
        let live = try LiveEngine(options)
        let strategy = options.strategy
        try await live.run {
            let publication = try await live.engine.publish(
                Publication(message, strategy: strategy),
                onStatus: { if $0 == .active { StandardError.write("published") } })
            while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
            await publication.end()
        }
    }
}
