import AudioIO

extension StreamHealth {
    /// What people are told, once, when a device goes away or comes back; nil when neither has happened.
    func line(since before: StreamHealth) -> String? {
        if let loss, before.loss == nil { return "lost: \(loss); waiting for it to come back" }
        return loss == nil && reopenings > before.reopenings ? "is back" : nil
    }

    /// Of the whole stream: ", 2 xruns, 1 reopenings, 4800 lost frames that count as silence"; empty when nothing happened.
    var counters: String {
        let counts = [
            (xruns, "xruns"), (reopenings, "reopenings"), (lostFrames, "lost frames that count as silence"),
        ]
        return counts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    }
}
