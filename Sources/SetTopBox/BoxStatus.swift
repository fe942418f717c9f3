import Nearby

/// What a box is doing.
public struct BoxStatus: Sendable, Hashable {
    /// Frames go out.
    public var isBroadcasting = false
    /// Its microphone is open.
    public var isListening = false
    /// It is silent because of the hour.
    public var isQuiet = false
    /// The registry knows what it says and takes.
    public var isKnown = false
    /// Devices heard of late; 0 without a microphone.
    public var neighbours = 0
    /// What stands in the loudspeaker's way; ``isQuiet`` is no obstacle.
    public var loudspeaker: MediumCondition.Obstacle?
    /// What stands in the microphone's way.
    public var microphone: MediumCondition.Obstacle?
    /// Why, in the words of the sound device's driver; those that have an obstacle, and of which more is known than that.
    public var reasons: [Role: String] = [:]
    /// What the registry last said, if that was no.
    public var registryError: RegistryError?
    /// Why the zone of the quiet hours cannot be read any more; they go on by the zone as it was.
    public var timeZoneError: LocalTimeError?
    /// How often the system's file of that zone was found to be another one.
    public var timeZoneUpdates = 0

    /// Nothing yet.
    public init() {}

    /// Nothing is wrong.
    public var isWell: Bool {
        loudspeaker == nil && microphone == nil && registryError == nil && timeZoneError == nil
    }

    /// What is wrong, a line each; none when nothing is.
    public var problems: [String] {
        var lines: [String] = []
        if let loudspeaker { lines.append("loudspeaker: \(words(loudspeaker, .broadcast))") }
        if let microphone { lines.append("microphone: \(words(microphone, .scan))") }
        if let registryError { lines.append("\(registryError)") }
        if let timeZoneError {
            lines.append("quiet hours go on by the time zone as it was: \(timeZoneError)")
        }
        return lines
    }

    /// In a few words: `broadcasting, listening`.
    public var summary: String {
        if !isWell { return problems.joined(separator: "; ") }
        var words: [String] = []
        if isQuiet { words.append("quiet hours") } else if isBroadcasting { words.append("broadcasting") }
        if isListening { words.append("listening") }
        if !isKnown { words.append("not yet known to the registry") }
        return words.isEmpty ? "starting" : words.joined(separator: ", ")
    }

    /// The driver's reason; without one, what is known of such an obstacle.
    private func words(_ obstacle: MediumCondition.Obstacle, _ role: Role) -> String {
        reasons[role].map { "\($0): trying again" } ?? BoxStatus.words(obstacle)
    }

    private static func words(_ obstacle: MediumCondition.Obstacle) -> String {
        switch obstacle {
        case .missing: "there is none"
        case .forbidden: "no right to use it: put the user in the group 'audio'; trying again"
        case .poweredOff: "is off"
        case .heldBack: "is held back for now"
        case .failing: "does not open or fails: trying again; 'nearby-modem devices' lists what there is"
        }
    }
}

/// What a box has counted since it was made.
public struct BoxCounts: Sendable, Hashable {
    /// Frames that went out whole.
    public var framesSent = 0
    /// Frames of others that were heard.
    public var framesHeard = 0
    /// Messages that arrived, changes included.
    public var messages = 0
    /// Messages that were found again, and not told again.
    public var repeats = 0
    /// Tokens that took the place of another one.
    public var rotations = 0
    /// Reports that the registry did not take.
    public var registryFailures = 0
    /// When the last frame had gone out, on the engine's clock.
    public var lastFrame: Instant?
    /// When the token was last another one.
    public var lastRotation: Instant?

    /// Nothing.
    public init() {}
}
