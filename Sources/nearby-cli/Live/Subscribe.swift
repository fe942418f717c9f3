import ArgumentParser
import CommandOutput
import Nearby
import NearbyOffline

struct Subscribe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print messages of whoever is near, found and lost by sound or Bluetooth, until Ctrl-C.",
        discussion: """
            A line for each: found, updated or lost, the message's type, and its content as text.

              nearby subscribe --type place --key KEY
              nearby subscribe --type place --offline FILE
            """)

    @Option(help: ArgumentHelp("Messages of this type alone, again for more.", valueName: "name"))
    var type: [String] = []

    @Option(help: ArgumentHelp("Messages of this namespace.", valueName: "name"))
    var namespace = ""

    @Option(parsing: .unconditional, help: ArgumentHelp("End when so many were found.", valueName: "number"))
    var count: Int?

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "With --offline: believe only what the owner of this public key has signed, again for more.",
            valueName: "key"))
    var publisher: [String] = []

    @OptionGroup var options: ClientOptions

    func validate() throws {
        guard publisher.isEmpty || options.offline != nil else {
            throw ValidationError("--publisher needs --offline")
        }
        guard publisher.allSatisfy({ Publisher($0) != nil }) else {
            throw ValidationError(
                "--publisher is a public key as 'nearby offline signer' prints it, 43 characters")
        }
        guard options.offline == nil || !options.onlyBroadcast else {
            throw ValidationError("--only-broadcast needs a server: without one only who listens finds")
        }
        guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count is 1 or more") }
    }

    func run() async throws {
        let live = try LiveEngine(options, publishers: publisher.compactMap { Publisher($0) })
        let namespace = namespace
        let rules = type.map { MessageFilter.Rule.type($0, namespace: namespace) }
        let filter = MessageFilter(rules.isEmpty ? [.namespace(namespace)] : Set(rules))
        let (json, strategy, count) = (json, options.strategy, count)
        try await live.run {
            var found = 0
            for await event in try await live.engine.subscribe(to: filter, strategy: strategy) {
                guard let line = Subscribe.line(event, json: json) else { continue }
                try StandardOutput.write(line)
                if case .found = event { found += 1 }
                if found == count { return }
            }
        }
    }

    private static func line(_ event: SubscriptionEvent, json: Bool) -> String? {
        let (name, discovery): (String, Discovery)
        switch event {
        case .found(let one): (name, discovery) = ("found", one)
        case .updated(let one): (name, discovery) = ("updated", one)
        case .lost(let one): (name, discovery) = ("lost", one)
        case .heardBytes, .expired: return nil
        }
        let message = discovery.message
        guard json else { return "\(name)\t\(message.type)\t\(message.text)" }
        var object = JSONObject()
        object.add("event", name)
        object.add("id", discovery.id.description)
        object.add("namespace", message.namespace)
        object.add("type", message.type)
        object.add("text", message.text)
        return object.description
    }
}
