import AudioIO

extension StreamHealth {
    /// Returns the line for people, once, when a device goes away or comes back; `nil` if neither has
    /// happened.
    func line(since before: StreamHealth) -> String? {
        if let loss, before.loss == nil { return "lost: \(loss); waiting for it to come back" }
        return loss == nil && reopenings > before.reopenings ? "is back" : nil
    }

    /// The counters of the whole stream, such as ", 2 xruns, 1 reopening of the device, 4800 lost
    /// samples, replaced by silence"; empty if nothing happened.
    var counters: String {
        let counts = [
            (xruns, "xruns"),
            (reopenings, reopenings == 1 ? "reopening of the device" : "reopenings of the device"),
            (lostFrames, "lost samples, replaced by silence"),
        ]
        return counts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    }
}
