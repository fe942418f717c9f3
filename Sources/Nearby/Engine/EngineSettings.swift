/// Times and limits of the engine. The standard values come from Chromium's copresence configuration, where
/// it has them.
public struct EngineSettings: Sendable, Hashable {
    /// The interval between reports when nothing happens, unless the registry asks for fewer
    /// (``Answer/keepAlive``); the same interval while there is something that the registry must be asked
    /// again.
    public var heartbeat = Duration.seconds(5)
    /// The time after a token was last heard for which it counts as heard, unless the registry names another
    /// time (``Answer/patience``).
    public var patience = Duration.milliseconds(13_500)
    /// The range of times for which a device broadcasts a token, drawn anew each time; then all its tokens
    /// change together. A device whose longest time is at least 300 s takes tokens in advance, which the
    /// registry changes each 60 to 300 s.
    public var rotation = Duration.seconds(60)...Duration.seconds(300)
    /// True if the device takes tokens in advance.
    var takesTokensAhead: Bool { rotation.upperBound >= SealedTokens.longestTurn }
    /// The time after a hearing for which a device counts as a neighbour, whose turn on the medium is left
    /// free.
    public var neighbourhood = Duration.seconds(40)
    /// The time after which a device that is heard again is reported at once, like a new one.
    public var absence = Duration.seconds(8)
    /// The most decibels by which a renewal may be fainter than the last frame that was read. A faint
    /// neighbour is renewed for as long as it is heard at all. One who leaves the room is not, though it may
    /// still be heard through the wall.
    package var renewalFallDecibels: Float = 6
    /// The greatest age of an observation that is reported: the registry would take an older one for a
    /// replay.
    package var oldestObservation = Duration.seconds(10)
    /// The time for which an invalid token is not reported again, on the medium on which it was heard. It is
    /// short: a token that someone replayed before its time, or on another medium, must not be lost when its
    /// real sender sends it.
    package var invalidTokenMemory = Duration.seconds(60)
    /// The number of invalid tokens that are remembered. Beyond it, the ones that would expire first are
    /// forgotten.
    package var invalidTokenLimit = 10_000
    /// The number of tokens of one medium that are remembered at a time: two reports name them all. Beyond
    /// it, the least likely ones are forgotten.
    package var heardTokenLimit = 5120
    /// The number of observations in one report; the next report names the rest.
    public var observationsPerReport = 2560
    /// The number of publications, of subscriptions and of ends in one report; the next report names the
    /// rest.
    package var operationsPerReport = 200
    /// The interval between reports that only name new tokens, once ``sightingReportsAtOnce`` have been sent:
    /// a flood of tokens must not use up a device's quota on a server.
    package var sightingReportInterval = Duration.milliseconds(250)
    /// The number of reports of new tokens that may be sent at once after a long pause.
    package var sightingReportsAtOnce = 32
    /// The number of frames that a device sends without hearing any of them before it counts as unheard.
    package var unheardFrames = 4
    /// The range of delays between tries to reach the registry: each delay doubles the one before, with
    /// jitter.
    public var retry = Duration.seconds(1)...Duration.seconds(30)
    /// The time after which a beacon that is not heard is lost.
    public var beaconLoss = Duration.seconds(15)
    /// The same time while the scan for beacons is sparing: the scan then listens for a tenth of the time,
    /// and a beacon may send only once a second.
    public var sparingBeaconLoss = Duration.seconds(60)
    /// The time for which a registry's answer about a beacon is valid. Then the engine asks again; if the
    /// registry does not answer, the former answer counts for the same time once more.
    public var knownBeaconMemory = Duration.seconds(300)
    /// The time for which an answer that a registry does not know a beacon is valid. Then the engine asks
    /// again.
    public var unknownBeaconMemory = Duration.seconds(60)
    /// The minimum interval between queries about beacons.
    package var beaconQuestionInterval = Duration.milliseconds(500)

    /// Creates the standard values. A change affects one engine, and does not depend on the settings of other
    /// devices.
    public init() {}

    /// The standard values, which an engine has if it is given no others.
    public static let standard = EngineSettings()
}
