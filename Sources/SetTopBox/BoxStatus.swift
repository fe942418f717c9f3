import Nearby

/// The status of a box.
public struct BoxStatus: Sendable, Hashable {
    /// True if frames go out.
    public var isBroadcasting = false
    /// True if the microphone is open.
    public var isListening = false
    /// True if the box is silent because of its quiet hours.
    public var isQuiet = false
    /// True if the registry knows the box's publication and subscription.
    public var isKnown = false
    /// The number of devices that were heard of late; 0 without a microphone.
    public var neighbours = 0
    /// The loudspeaker's obstacle, `nil` if there is none; ``isQuiet`` is not an obstacle.
    public var loudspeaker: MediumCondition.Obstacle?
    /// The microphone's obstacle, `nil` if there is none.
    public var microphone: MediumCondition.Obstacle?
    /// The reasons of obstacles, in the words of the sound device's driver. A device without an obstacle, or
    /// without a known reason, has none.
    public var reasons: [Role: String] = [:]
    /// The registry's last error, `nil` if its last answer was none.
    public var registryError: RegistryError?
    /// The reason why the time zone of the quiet hours cannot be read any more. The hours then go on by the
    /// zone as it was.
    public var timeZoneError: LocalTimeError?
    /// The number of times that the system's file of that zone was found to have changed.
    public var timeZoneUpdates = 0

    /// Makes the status of a box that has not started.
    public init() {}

    /// True if nothing is wrong.
    public var isWell: Bool {
        loudspeaker == nil && microphone == nil && registryError == nil && timeZoneError == nil
    }

    /// The problems, one line each; empty if there are none.
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

    /// The status in a few words: `broadcasting, listening`.
    public var summary: String {
        if !isWell { return problems.joined(separator: "; ") }
        var words: [String] = []
        if isQuiet { words.append("quiet hours") } else if isBroadcasting { words.append("broadcasting") }
        if isListening { words.append("listening") }
        if !isKnown { words.append("not yet known to the registry") }
        return words.isEmpty ? "starting" : words.joined(separator: ", ")
    }

    /// Returns the driver's reason, or a general text about such an obstacle if there is none.
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

/// The counters of a box since it was made.
public struct BoxCounts: Sendable, Hashable {
    /// The number of frames that went out whole.
    public var framesSent = 0
    /// The number of other devices' frames that were heard.
    public var framesHeard = 0
    /// The number of messages that arrived, changes included.
    public var messages = 0
    /// The number of messages that were found again and not delivered again.
    public var repeats = 0
    /// The number of tokens that replaced another one.
    public var rotations = 0
    /// The number of reports that the registry did not take.
    public var registryFailures = 0
    /// The time when the last frame had gone out, on the engine's clock.
    public var lastFrame: Instant?
    /// The time when the token last changed, on the engine's clock.
    public var lastRotation: Instant?

    /// Makes counters that are all zero.
    public init() {}
}
