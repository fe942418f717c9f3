import AudioIO

extension StreamHealth {
    /// Returns the line for people, once, when a device goes away or comes back; `nil` if neither has
    /// happened.
    func line(since before: StreamHealth) -> String? {
        if let loss, before.loss == nil { return "lost: \(loss); waiting for it to come back" }
        return loss == nil && reopenings > before.reopenings ? "is back" : nil
    }

    /// The counters of the whole stream, such as ", 2 xruns, 1 reopenings, 4800 lost frames that count as
    /// silence"; empty if nothing happened.
    var counters: String {
        let counts = [
            (xruns, "xruns"), (reopenings, "reopenings"), (lostFrames, "lost frames that count as silence"),
        ]
        return counts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    }
}
