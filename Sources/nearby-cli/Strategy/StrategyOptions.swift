import ArgumentParser
import CommandOutput
import Nearby

/// The strategy of operations that do not specify their own.
struct StrategyOptions: ParsableArguments {
    enum ModeChoice: String, ExpressibleByArgument, CaseIterable {
        case broadcast, scan, both
    }

    @Option(help: "Medium for tokens: sound (audio), Bluetooth (ble) or both.")
    var medium: MediumChoice = .both

    @Option(help: "Broadcast tokens, scan for the tokens of others, or both.")
    var mode: ModeChoice = .both

    @Flag(help: "Continue while the app is in the background; only ble can.")
    var background = false

    @Flag(help: "Match only devices found by sound.")
    var earshot = false

    @Flag(help: "Match only devices that hear this one and are heard by it; needs --mode both.")
    var mutual = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Stop after this time, at most 86400. (default: when released)", valueName: "seconds"))
    var ttl: Double?

    func validate() throws {
        guard ttl.map({ $0.magnitude < 1e9 }) ?? true else {
            throw ValidationError("--ttl must be at most 86400 seconds")
        }
    }

    var strategy: Strategy {
        let mode: Strategy.Mode =
            switch self.mode {
            case .broadcast: .broadcast
            case .scan: .scan
            case .both: .both
            }
        return Strategy(
            media: medium.media, mode: mode, allowInBackground: background,
            timeToLive: ttl.map { .seconds($0) },
            reach: earshot ? .earshot : .anywhere, isMutual: mutual)
    }
}
