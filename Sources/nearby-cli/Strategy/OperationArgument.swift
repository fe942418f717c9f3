import CommandOutput
import Nearby

/// One operation of the command line: words, separated by commas.
///
///     audio,scan          ble,both,background          audio,broadcast,earshot,ttl=300          default
struct OperationArgument {
    enum Kind: String {
        case publish, subscribe
    }

    var kind: Kind
    /// The text of the argument, unchanged.
    var text: String
    var strategy: Strategy
    /// `true` if the operation looks for devices; `false` if it looks for beacons alone.
    var looksForDevices = true
    /// The strategy for beacons; `nil` if the operation does not look for beacons.
    var beacons: BeaconStrategy?

    /// Parses an operation. Properties that `text` omits come from `standard`. Throws: 64 for an unknown word
    /// or an invalid strategy.
    init(_ kind: Kind, _ text: String, standard: Strategy) throws(CommandFailure) {
        (self.kind, self.text, strategy) = (kind, text, standard)
        var media: Set<Medium> = []
        var mode: Strategy.Mode = []
        var devices = false
        for word in text.split(separator: ",").map(String.init) where word != "default" {
            switch word {
            case "audio", "ble": media.insert(Medium(rawValue: word)!)
            case "broadcast": mode.insert(.broadcast)
            case "scan": mode.insert(.scan)
            case "both": mode = .both
            case "background": strategy.allowInBackground = true
            case "earshot": strategy.reach = .earshot
            case "mutual": strategy.isMutual = true
            case "devices": devices = true
            case "beacons", "eddystone", "high-power":
                guard kind == .subscribe else {
                    throw CommandFailure(.usage, "\(name): \(word) is for subscriptions: --subscribe \(word)")
                }
                var beacons = self.beacons ?? .standard
                if word == "eddystone" { beacons.kinds = BeaconStrategy.eddystone }
                if word == "high-power" { beacons.isLowPowerPreferred = false }
                self.beacons = beacons
            case _ where word.hasPrefix("ttl="):
                strategy.timeToLive = try OperationArgument.timeToLive(word.dropFirst(4), in: self.name)
            default:
                throw CommandFailure(
                    .usage,
                    "\(name): \(word) is none of audio, ble, broadcast, scan, both, background, earshot, mutual, ttl=SECONDS, beacons, eddystone, high-power, devices, default"
                )
            }
        }
        if beacons != nil && !devices { (looksForDevices, strategy.media) = (false, [.ble]) }
        beacons?.allowInBackground = strategy.allowInBackground
        if !media.isEmpty { strategy.media = media }
        if !mode.isEmpty { strategy.mode = mode }
        do {
            try strategy.validate()
        } catch {
            throw CommandFailure(.usage, "\(name): \(error)")
        }
    }

    private var name: String { "--\(kind) \(text)" }

    private static func timeToLive(
        _ text: Substring, in name: String
    ) throws(CommandFailure) -> Duration {
        guard let seconds = Double(text), seconds.isFinite, seconds.magnitude < 1e9 else {
            throw CommandFailure(.usage, "\(name): \(text) is not a number of seconds")
        }
        return .seconds(seconds)
    }
}
