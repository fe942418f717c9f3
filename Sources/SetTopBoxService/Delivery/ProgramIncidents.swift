/// Counts the failures of a ``ProgramQueue`` and tells of them: at once the first time, and then in one line a minute at most. Whoever sends
/// messages to a box cannot fill its log.
struct ProgramIncidents {
    private var dropped = 0
    private var failed = 0
    private var lastEnd = ""
    private var lastLine: ContinuousClock.Instant?

    private static let pause = Duration.seconds(60)

    /// A message was dropped. Returns the line that is due.
    mutating func drop(now: ContinuousClock.Instant) -> String? {
        dropped += 1
        return takeLine(now)
    }

    /// The program failed. Returns the line that is due.
    ///
    /// - Parameter end: how it ended.
    mutating func fail(_ end: String, now: ContinuousClock.Instant) -> String? {
        failed += 1
        lastEnd = end
        return takeLine(now)
    }

    /// Everything that was not told yet; nil when there is nothing.
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
            words.append("\(messages) dropped: too many wait already")
        }
        self = ProgramIncidents()
        lastLine = now
        return "deliver.on-message: " + words.joined(separator: "; ")
    }
}
