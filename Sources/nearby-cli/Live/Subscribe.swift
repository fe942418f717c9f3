import ArgumentParser
import CommandOutput
import Nearby
import NearbyOffline

struct Subscribe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print messages of nearby devices, found and lost by sound or Bluetooth, until Ctrl-C.",
        discussion: """
            Prints a line for each change: found, updated or lost, the message's type, and its content as text. The \
            exit code is 1 if nothing was found, or fewer messages than --count.

              nearby subscribe --type place --key-file shop.key
              nearby subscribe --type place --offline FILE

            With --beacons the messages are the attachments of nearby beacons ("nearby beacons attach"), followed by \
            the distance if it can be estimated; without an API key they are the beacons' ids, as "nearby beacons" \
            writes them.

              nearby subscribe --beacons --type offer --namespace mall --key-file shop.key
              nearby subscribe --beacons --beacon-type ibeacon
            """)

    @Option(help: ArgumentHelp("Find only messages of this type; may be repeated.", valueName: "name"))
    var type: [String] = []

    @Option(help: ArgumentHelp("Find only messages of this namespace.", valueName: "name"))
    var namespace = ""

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Stop after this many messages were found.", valueName: "number"))
    var count: Int?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    // A publisher's public key may begin with a hyphen; keys of the server have a beginning of their own.
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "With --offline: accept only messages signed by the owner of this public key; may be repeated.",
            valueName: "key"))
    var publisher: [String] = []

    @OptionGroup var beacons: BeaconScanOptions

    @OptionGroup var options: ClientOptions

    func validate() throws {
        try beacons.validate(with: options, hasKey: settings.hasKey, type: type, namespace: namespace)
        try settings.validate()
        guard publisher.isEmpty || options.registry.offline != nil else {
            throw ValidationError("--publisher needs --offline")
        }
        guard publisher.allSatisfy({ Publisher($0) != nil }) else {
            throw ValidationError(
                "--publisher must be a public key as 'nearby offline signer' prints it, 43 characters")
        }
        guard options.registry.offline == nil || !options.onlyBroadcast else {
            throw ValidationError(
                "--only-broadcast needs a server: without one, a subscriber must scan to find messages")
        }
        guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count must be 1 or more") }
    }

    private var settings: LiveSettings {
        let settings = options.settings(for: .scan)
        return beacons.beacons ? settings.forBeacons : settings
    }

    func run() async throws {
        let live = try LiveEngine(
            settings,
            publishers: publisher.compactMap { Publisher($0) },
            looksForBeacons: beacons.beacons)
        let filter = MessageFilter(types: type, namespace: namespace)
        let subscription =
            beacons.beacons
            ? beacons.subscription(to: filter, hasKey: settings.hasKey)
            : Subscription(filter, strategy: settings.strategy)
        let (json, count) = (json, count)
        let found = FoundCount()
        try await live.run(isPrinting: true) {
            for await event in try await live.engine.subscribe(subscription) {
                guard let line = json ? DiscoveryLine.json(event) : DiscoveryLine.text(event) else {
                    continue
                }
                try StandardOutput.write(line)
                if case .found = event { found.add() }
                if found.value == count { return }
            }
        }
        try found.check(least: count ?? 1, live)
    }
}
