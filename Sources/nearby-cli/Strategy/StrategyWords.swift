import CommandOutput
import Nearby

/// Strategies and their outcomes in words.
enum StrategyWords {
    static func mode(_ mode: Strategy.Mode) -> String {
        switch mode {
        case .both: "broadcasts and scans"
        case .broadcast: "broadcasts only"
        default: "scans only"
        }
    }

    /// Returns the mode's name in options and JSON.
    static func modeName(_ mode: Strategy.Mode) -> String {
        switch mode {
        case .both: "both"
        case .broadcast: "broadcast"
        default: "scan"
        }
    }

    /// Formats a strategy: "audio and ble, broadcasts and scans, until released".
    static func all(_ strategy: Strategy) -> String {
        let media = strategy.media.sorted().map(\.rawValue).joined(separator: " and ")
        let more: [String?] = [
            strategy.allowInBackground ? "in the background too" : nil,
            strategy.reach == .earshot ? "only devices found by audio" : nil,
            strategy.isMutual ? "only devices that hear each other" : nil,
            strategy.timeToLive.map { "for \(seconds($0))" } ?? "until released",
        ]
        return ([media, mode(strategy.mode)] + more.compactMap { $0 }).joined(separator: ", ")
    }

    static func all(_ operation: OperationArgument) -> String {
        guard let beacons = operation.beacons else { return all(operation.strategy) }
        let words = [
            operation.looksForDevices ? all(operation.strategy) + ";" : nil,
            (beacons.kinds.contains(.iBeacon) ? "Eddystone and iBeacons" : "Eddystone") + " by ble,",
            beacons.isSparing ? "at low power," : "at full power,",
            beacons.allowInBackground ? "in the background too," : nil,
            operation.strategy.timeToLive.map { "for \(seconds($0))" } ?? "until released",
        ]
        return words.compactMap { $0 }.joined(separator: " ")
    }

    /// Formats a scan for beacons: "looks for eddystone, ephemeral, iBeacon all the time".
    static func beacons(_ scan: BeaconScan, _ outcome: StrategyExplanation.Outcome) -> String {
        if case .waits(let obstacle) = outcome {
            return "waits: \(self.obstacle(obstacle, .ble, .scan)); keeps trying"
        }
        let kinds = scan.kinds.map(\.rawValue).sorted().joined(separator: ", ")
        return "looks for \(kinds) " + (scan.isSparing ? "now and then" : "all the time")
    }

    static func refusal(_ refusal: StrategySelection.Refusal, _ medium: Medium, _ role: Role) -> String {
        switch refusal {
        case .permission(.undecided): "the user has not decided yet"
        case .permission: "the user has denied it"
        case .background:
            medium.traits.contains(.worksInBackground)
                ? "the app is in the background, and the operation does not allow that"
                : "the app is in the background"
        case .obstacle(let obstacle): self.obstacle(obstacle, medium, role)
        case .notAsked: "not asked for"
        }
    }

    static func obstacle(_ obstacle: MediumCondition.Obstacle, _ medium: Medium, _ role: Role) -> String {
        let device =
            switch (medium, role) {
            case (.audio, .broadcast): "loudspeaker"
            case (.audio, .scan): "microphone"
            case (.ble, _): "Bluetooth"
            case (.lan, _): "local network"
            }
        return switch obstacle {
        case .missing: "no \(device)"
        case .forbidden: "\(device) forbidden"
        case .poweredOff: "\(device) is off"
        case .failing: "\(device) fails"
        case .heldBack: "\(device) held back for now"
        }
    }

    static func cadence(
        _ cadence: MediumAssignment.Cadence, _ profile: MediumAssignment.Profile, _ medium: Medium
    ) -> String {
        let frame = profile == .near ? "frame of the near profile" : "frame"
        let period = seconds(cadence.period(profile))
        return switch cadence {
        case .continuous:
            medium.traits.contains(.isShared)
                ? "without a pause: a \(frame) every \(period)" : "without a pause"
        case .bursts(let listening):
            "in bursts: a \(frame), then \(number(listening.lowerBound)) to \(seconds(listening.upperBound)) of listening, "
                + "about \(period) in all"
        }
    }

    /// Formats a duration, for example "1.35 s".
    static func seconds(_ duration: Duration) -> String { number(duration) + " s" }

    private static func number(_ duration: Duration) -> String {
        var text = FixedPoint.text(duration.inSeconds, places: 3)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }
}
