/// Counts the faults of readers of a ``MessageSocket``, and tells of them in one line a minute at most: whoever connects cannot fill the log.
struct SocketIncidents {
    /// Readers let go because too much waited for them.
    var slow = 0
    /// Readers that gave their place to another one.
    var displaced = 0
    /// Connections that the system had no room for, and why the last one failed.
    var refused = 0
    var refusal = ""

    private static let pause = Duration.seconds(60)
    private var lastLine: ContinuousClock.Instant?

    /// When the next line may be written; nil when there is nothing to tell.
    func nextLine(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard slow + displaced + refused > 0 else { return nil }
        return lastLine.map { $0 + SocketIncidents.pause } ?? now
    }

    /// The line that is due, which counts anew from here; nil when none is.
    mutating func takeLine(_ now: ContinuousClock.Instant) -> String? {
        guard let next = nextLine(now), next <= now else { return nil }
        var words: [String] = []
        if slow > 0 { words.append("\(slow) let go because they read too slowly") }
        if displaced > 0 { words.append("\(displaced) let go because all places were taken") }
        if refused > 0 { words.append("\(refused) times none could connect: \(refusal)") }
        self = SocketIncidents(lastLine: now)
        return "deliver.socket: readers: " + words.joined(separator: "; ")
    }

    init(lastLine: ContinuousClock.Instant? = nil) { self.lastLine = lastLine }
}
