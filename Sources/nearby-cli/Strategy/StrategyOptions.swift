import ArgumentParser
import CommandOutput
import Nearby

/// The strategy of operations that do not specify their own.
struct StrategyOptions: ParsableArguments {
    enum ModeChoice: String, ExpressibleByArgument, CaseIterable {
        case broadcast, scan, both
    }

    @Option(help: "What carries tokens.")
    var medium: MediumChoice = .both

    @Option(help: "Send tokens, look for those of others, or both.")
    var mode: ModeChoice = .both

    @Flag(help: "Go on when the app is in the background; ble alone can.")
    var background = false

    @Flag(help: "Only who is found by sound counts.")
    var earshot = false

    @Flag(help: "Only who hears and is heard counts; takes both modes.")
    var mutual = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End after this, at most 86400. (default: when released)", valueName: "seconds"))
    var ttl: Double?

    func validate() throws {
        guard ttl.map({ $0.magnitude < 1e9 }) ?? true else {
            throw ValidationError("--ttl is at most 86400 seconds")
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
