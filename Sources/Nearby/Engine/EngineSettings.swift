/// Times and limits of the engine. Source of the standard values: Chromium's copresence configuration, where it has one.
public struct EngineSettings: Sendable, Hashable {
    /// From one report to the next when nothing happens.
    public var heartbeat = Duration.seconds(5)
    /// A device broadcasts a token for so long, drawn anew each time; then all its tokens change together.
    public var rotation = Duration.seconds(60)...Duration.seconds(300)
    /// A device is a neighbour, whose turn is left free, for so long after it was heard.
    public var neighbourhood = Duration.seconds(40)
    /// A device that is heard after so long is reported at once, as a new one is.
    public var absence = Duration.seconds(8)
    /// What was heard longer ago is not reported: the registry would take it for a replay.
    public var oldestObservation = Duration.seconds(10)
    /// An invalid token is not asked about again for so long, on the medium that it was heard on. Short: a token that somebody replayed
    /// before its time, or on another medium, must not be lost to the one who really sends it.
    public var invalidTokenMemory = Duration.seconds(60)
    /// Invalid tokens that are remembered; for more, the ones that would be forgotten first are.
    public var invalidTokenLimit = 10_000
    /// Tokens of one medium that are remembered at a time: two reports name them all. For more, the least likely ones are forgotten.
    public var heardTokenLimit = 5120
    /// Observations of one report; the rest is named in the next one.
    public var observationsPerReport = 2560
    /// Publications, subscriptions and ends of one report, each; the rest is said in the next one.
    public var operationsPerReport = 200
    /// Between reports that only tell of new tokens, once ``sightingReportsAtOnce`` have gone out: a flood of tokens must not use up
    /// what a server grants a device.
    public var sightingReportInterval = Duration.milliseconds(250)
    /// Reports of new tokens that go out at once when there were none for long.
    public var sightingReportsAtOnce = 32
    /// Frames it sends, without hearing one of them, before it counts as unheard.
    public var unheardFrames = 4
    /// Between tries to reach the registry: doubled from one to the other, with jitter.
    public var retry = Duration.seconds(1)...Duration.seconds(30)
    /// A beacon that was not heard for so long is lost.
    public var beaconLoss = Duration.seconds(15)
    /// And while beacons are looked for sparingly: a tenth of the time, of a beacon that may send but once in a second.
    public var sparingBeaconLoss = Duration.seconds(60)
    /// What a registry said of a beacon is good for so long; then it is asked again, and what it said counts for as
    /// long once more if it does not answer.
    public var knownBeaconMemory = Duration.seconds(300)
    /// That a registry knows nothing of a beacon is good for so long; then it is asked again.
    public var unknownBeaconMemory = Duration.seconds(60)
    /// At least, from one question about beacons to the next.
    public var beaconQuestionInterval = Duration.milliseconds(500)

    /// The standard values; what is changed holds for one engine, whatever those that it hears have.
    public init() {}

    /// As the initializer makes them: what an engine has that is given no others.
    public static let standard = EngineSettings()
}
