import ArgumentParser
import CommandOutput
import Nearby

struct Find: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look who is here, for a while, and perhaps say something to them.",
        discussion: """
            Only listens, so a box that only broadcasts is found, and nobody hears who looks. What --publish says arrives at those \
            that are found, as long as the command runs.

              nearby find --audio --key-file shop.key
              nearby find --audio --key-file shop.key --count 1 --publish louder --publish-type remote

            A line for each that is found, updated or lost, as 'nearby subscribe' has them. Exit code 1 when nobody was found.
            """)

    @Flag(help: "By sound alone. Without this and --ble: by both, or by sound where there is no Bluetooth.")
    var audio = false

    @Flag(help: "By Bluetooth alone.")
    var ble = false

    @Option(help: ArgumentHelp("Messages of this type alone, again for more.", valueName: "name"))
    var type: [String] = []

    @Option(help: ArgumentHelp("Messages of this namespace.", valueName: "name"))
    var namespace = ""

    @Option(help: ArgumentHelp("Publish this to whoever is found.", valueName: "text"))
    var publish: String?

    @Option(help: ArgumentHelp("Its type, at most 32 characters.", valueName: "name"))
    var publishType = ""

    @Option(parsing: .unconditional, help: ArgumentHelp("End when so many were found.", valueName: "number"))
    var count: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp("How long to look.", valueName: "seconds"))
    var seconds = 10.0

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup var registry: RegistryOptions

    @Option(
        help: ArgumentHelp(
            "Listen to this ALSA device, or, if there is a '/' or '.wav' in it, this WAV file or pipe.",
            valueName: "name"))
    var capture = "default"

    @Option(
        help: ArgumentHelp(
            "The radio for Bluetooth, as 'nearby ble doctor' names it. (default: auto)", valueName: "name"))
    var radio: String?

    /// The time for the delivery of the publication after the last finding. The server sends it to the device
    /// at the moment of the finding.
    private static let lingering = Duration.seconds(1)

    func validate() throws {
        guard !(audio && ble) else { throw ValidationError("--audio or --ble; neither for both") }
        guard radio == nil || !audio else {
            throw ValidationError("--radio is for Bluetooth: leave --audio out")
        }
        guard !ble || registry.offline == nil else {
            throw ValidationError("--offline goes by sound: a sealed message has no room in an advertisement")
        }
        guard publish == nil || registry.offline == nil else {
            throw ValidationError(
                "--publish needs a server: without one a message must sound: 'nearby publish --offline'")
        }
        guard publish != nil || publishType.isEmpty else {
            throw ValidationError("--publish-type is for --publish")
        }
        guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count is 1 or more") }
        try settings.validate()
    }

    private var settings: LiveSettings {
        LiveSettings(
            server: registry.server, key: registry.key, keyFile: registry.keyFile, trust: registry.trust,
            offline: registry.offline,
            medium: ble ? .ble : audio || registry.offline != nil ? .audio : .both, radio: radio,
            capture: capture,
            seconds: seconds, mode: .scan, purpose: .scan)
    }

    func run() async throws {
        let message = try publish.map { try Message($0, type: publishType) }
        let live = try LiveEngine(settings)
        let rules = type.map { MessageFilter.Rule.type($0, namespace: namespace) }
        let filter = MessageFilter(rules.isEmpty ? [.namespace(namespace)] : Set(rules))
        let (json, strategy, wanted) = (json, settings.strategy, count)
        let found = FoundCount()
        try await live.run(isPrinting: true) {
            // The publication begins before any device is found, so that it is delivered with the finding.
            var publication: PublicationHandle?
            if let message { publication = try await live.engine.publish(message, strategy: strategy) }
            for await event in try await live.engine.subscribe(to: filter, strategy: strategy) {
                guard let line = json ? DiscoveryLine.json(event) : DiscoveryLine.text(event) else {
                    continue
                }
                try StandardOutput.write(line)
                if case .found = event { found.add() }
                if found.value == wanted { break }
            }
            if publication != nil { try await Task.sleep(for: Find.lingering) }
            await publication?.end()
        }
        try found.check(least: 1, live)
    }
}
