/// A counter of the failures of a ``ProgramQueue``, which reports them: at once the first time, and then in
/// at most one line a minute. The senders of messages therefore cannot fill a box's log.
struct ProgramIncidents {
    private var dropped = 0
    private var failed = 0
    private var lastEnd = ""
    private var lastLine: ContinuousClock.Instant?

    private static let pause = Duration.seconds(60)

    /// Counts a dropped message. Returns the line that is due, or `nil`.
    mutating func drop(now: ContinuousClock.Instant) -> String? {
        dropped += 1
        return takeLine(now)
    }

    /// Counts a failure of the program. Returns the line that is due, or `nil`.
    ///
    /// - Parameter end: describes how the program ended.
    mutating func fail(_ end: String, now: ContinuousClock.Instant) -> String? {
        failed += 1
        lastEnd = end
        return takeLine(now)
    }

    /// Returns a line with everything that was not reported yet; `nil` if there is nothing.
    mutating func takeRest(now: ContinuousClock.Instant) -> String? {
        lastLine = nil
        return dropped + failed > 0 ? takeLine(now) : nil
    }

    private mutating func takeLine(_ now: ContinuousClock.Instant) -> String? {
        if let lastLine, lastLine.duration(to: now) < ProgramIncidents.pause { return nil }
        var words: [String] = []
        if failed > 0 { words.append(failed == 1 ? lastEnd : "\(failed) failures, the last: \(lastEnd)") }
        if dropped > 0 {
            let messages = dropped == 1 ? "a message is" : "\(dropped) messages are"
            words.append("\(messages) dropped: the queue is full")
        }
        self = ProgramIncidents()
        lastLine = now
        return "deliver.on-message: " + words.joined(separator: "; ")
    }
}
