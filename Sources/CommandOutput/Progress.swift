/// A progress line on the terminal for long work. It appears after the first second, and never if standard
/// error is not a terminal.
package struct Progress {
    private let total: Int?
    private let isShown = StandardError.isTerminal
    private let began = ContinuousClock.now
    private var drawn: ContinuousClock.Instant?

    /// - Parameter total: the units of all the work; `nil` if the total is unknown.
    package init(total: Int?) { self.total = total }

    /// - Parameter seconds: the seconds of sound so far, shown if the total is unknown.
    package mutating func update(done: Int, seconds: Double) {
        guard isShown else { return }
        let now = ContinuousClock.now
        guard now - began > .seconds(1), drawn.map({ now - $0 > .milliseconds(100) }) ?? true else { return }
        drawn = now
        guard let total, total > 0 else {
            return StandardError.show("\r\(FixedPoint.text(seconds, places: 0)) s of sound")
        }
        let filled = min(40, done * 40 / total)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 40 - filled)
        StandardError.show("\r\(bar) \(min(100, done * 100 / total)) %")
    }

    /// Erases the line, before other output or after the work.
    package mutating func clear() {
        if drawn != nil { StandardError.show("\r\u{1B}[K") }
        drawn = nil
    }
}
