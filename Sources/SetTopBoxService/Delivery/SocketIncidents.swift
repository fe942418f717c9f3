/// A counter of the faults of a ``MessageSocket``'s readers, which reports them in at most one line a minute.
/// Programs that connect therefore cannot fill the log.
struct SocketIncidents {
    /// The number of readers that were disconnected because too much waited for them.
    var slow = 0
    /// The number of readers that gave their place to another one.
    var displaced = 0
    /// The number of connections for which the system had no room; `refusal` is the reason of the last one.
    var refused = 0
    var refusal = ""

    private static let pause = Duration.seconds(60)
    private var lastLine: ContinuousClock.Instant?

    /// Returns the time when the next line may be written; `nil` if there is nothing to report.
    func nextLine(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard slow + displaced + refused > 0 else { return nil }
        return lastLine.map { $0 + SocketIncidents.pause } ?? now
    }

    /// Returns the line that is due, and counts from zero again; `nil` if none is due.
    mutating func takeLine(_ now: ContinuousClock.Instant) -> String? {
        guard let next = nextLine(now), next <= now else { return nil }
        var words: [String] = []
        if slow > 0 { words.append("\(slow) disconnected because they read too slowly") }
        if displaced > 0 { words.append("\(displaced) disconnected because all places were taken") }
        if refused > 0 { words.append("\(refused) could not connect: \(refusal)") }
        self = SocketIncidents(lastLine: now)
        return "deliver.socket: readers: " + words.joined(separator: "; ")
    }

    init(lastLine: ContinuousClock.Instant? = nil) { self.lastLine = lastLine }
}
