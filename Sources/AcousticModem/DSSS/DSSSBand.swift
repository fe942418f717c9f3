import Signal

/// The DSSS profiles behind one front end.
///
///     FrontEnd → Acquisition → Tracker → DSSSFrameDecoder → DecodeReport
struct DSSSBand: FamilyReceiver {
    private var frontEnd = FrontEnd()
    private var baseband = BasebandWindow()
    private var receivers: [DSSSReceiver]
    /// Baseband not yet searched, less than a quantum.
    private var waiting: [Complex] = []

    /// Baseband samples searched at a time, counted from the first: decisions fall at the same samples whatever the
    /// chunks.
    private static let quantum = 240

    init(profiles: [DSSSProfile], observer: (any ReceiverObserver)?) {
        receivers = profiles.map { DSSSReceiver(profile: $0, observer: observer) }
    }

    mutating func process(_ samples: UnsafeBufferPointer<Float>, into reports: inout [DecodeReport]) {
        frontEnd.process(samples, into: &waiting)
        search(into: &reports)
    }

    mutating func finish(into reports: inout [DecodeReport]) {
        frontEnd.finish(into: &waiting)
        let silence = (receivers.map(\.flushSamples).max() ?? 0) + DSSSBand.quantum
        waiting += repeatElement(.zero, count: silence)
        search(into: &reports)
    }

    private mutating func search(into reports: inout [DecodeReport]) {
        var used = 0
        while waiting.count - used >= DSSSBand.quantum {
            let part = waiting[used..<used + DSSSBand.quantum]
            baseband.append(part)
            for index in receivers.indices {
                let settled = receivers[index].process(part, baseband)
                if !settled.isEmpty { reports += settled }
            }
            used += DSSSBand.quantum
            if let oldest = receivers.lazy.map(\.oldestNeeded).min(), oldest - baseband.start > 4800 {
                baseband.drop(before: oldest)
            }
        }
        waiting.removeFirst(used)
    }

    var statistics: ReceiverStatistics {
        receivers.reduce(into: ReceiverStatistics()) { $0.add($1.statistics) }
    }
}
