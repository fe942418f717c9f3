import ArgumentParser
import CommandOutput
import Nearby

struct Find: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Scan for nearby devices for a while, and optionally publish to them.",
        discussion: """
            The command only scans: it finds devices that broadcast, and no device hears it. A message of --publish \
            reaches the devices that are found, as long as the command runs.

              nearby find --audio --key-file shop.key
              nearby find --audio --key-file shop.key --count 1 --publish louder --publish-type remote

            Prints a line for each message found, updated or lost, as 'nearby subscribe' does. The exit code is 1 if \
            nothing was found.
            """)

    @Flag(
        help: "Scan by sound only. Without --audio and --ble: by both, or by sound if there is no Bluetooth.")
    var audio = false

    @Flag(help: "Scan by Bluetooth only.")
    var ble = false

    @Option(help: ArgumentHelp("Find only messages of this type; may be repeated.", valueName: "name"))
    var type: [String] = []

    @Option(help: ArgumentHelp("Find only messages of this namespace.", valueName: "name"))
    var namespace = ""

    @Option(help: ArgumentHelp("Publish this text to the devices that are found.", valueName: "text"))
    var publish: String?

    @Option(help: ArgumentHelp("Type of the message, at most 32 characters.", valueName: "name"))
    var publishType = ""

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Stop after this many messages were found.", valueName: "number"))
    var count: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp("Time to scan.", valueName: "seconds"))
    var seconds = 10.0

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @OptionGroup var registry: RegistryOptions

    @Option(
        help: ArgumentHelp(
            "ALSA device to capture from; a name with '/' or ending in '.wav' is a WAV file or pipe.",
            valueName: "name"))
    var capture = "default"

    @Option(
        help: ArgumentHelp(
            "Bluetooth radio, as 'nearby ble doctor' names it. (default: auto)", valueName: "name"))
    var radio: String?

    /// The time for the delivery of the publication after the last finding. The server sends it to the device
    /// at the moment of the finding.
    private static let lingering = Duration.seconds(1)

    func validate() throws {
        guard !(audio && ble) else {
            throw ValidationError("give either --audio or --ble, or neither for both")
        }
        guard radio == nil || !audio else {
            throw ValidationError("--radio is for Bluetooth: leave --audio out")
        }
        guard !ble || registry.offline == nil else {
            throw ValidationError("--offline goes by sound: a sealed message has no room in an advertisement")
        }
        guard publish == nil || registry.offline == nil else {
            throw ValidationError(
                "--publish needs a server; without one, use 'nearby publish --offline'")
        }
        guard publish != nil || publishType.isEmpty else {
            throw ValidationError("--publish-type needs --publish")
        }
        guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count must be 1 or more") }
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
        let filter = MessageFilter(types: type, namespace: namespace)
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
