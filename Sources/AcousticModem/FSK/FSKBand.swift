import Signal

/// The FSK profiles that share a front end and its tones.
///
///     FrontEnd → BandGuard → ToneField → for each profile: FSKAcquisition → FSKTracker → FSKFrameDecoder
struct FSKBand: FamilyReceiver {
    let plan: TonePlan
    private var bandGuard: BandGuard
    /// Less than a quantum, between two calls.
    private var limited: [Complex] = []
    private var baseband = BasebandWindow()
    private(set) var field: ToneField
    private var receivers: [FSKReceiver]
    private var waiting: [Complex]

    /// Baseband samples taken at a time, counted from the first: decisions fall at the same samples whatever the chunks.
    private static let quantum = 256

    /// - Parameter profiles: of one plan, at least one.
    init(profiles: [FSKProfile], observer: (any ReceiverObserver)?) {
        let plan = profiles[0].tones
        self.plan = plan
        bandGuard = BandGuard(plan.band, plan: plan)
        let longest = profiles.map { FSKReceiver.reachSteps($0) }.max() ?? 0
        field = ToneField(
            plan: plan, keptSteps: 2 * longest + 8 * ToneField.blockSteps,
            isForWalkers: profiles.contains(where: { $0.isForWalkers }))
        waiting = [Complex](repeating: .zero, count: plan.leadSamples)
        receivers = []
        for profile in profiles {
            receivers.append(FSKReceiver(profile: profile, field: field, observer: observer))
        }
    }

    mutating func process(_ sound: FreshSound, into reports: inout [DecodeReport]) {
        limited += sound.frontEnd(of: plan.band).limited
        var used = 0
        while limited.count - used >= FSKBand.quantum {
            bandGuard.process(limited[used..<used + FSKBand.quantum], into: &waiting)
            used += FSKBand.quantum
            let known = reports.count
            search(into: &reports)
            bandGuard.noteHeard(reports[known...])
        }
        limited.removeFirst(used)
    }

    mutating func finish(into reports: inout [DecodeReport]) {
        let blank = repeatElement(Complex.zero, count: bandGuard.flushSamples)
        bandGuard.process((limited + blank)[...], into: &waiting)
        limited.removeAll()
        let count = (receivers.map { $0.flushSamples }.max() ?? 0) + FSKBand.quantum
        waiting += repeatElement(.zero, count: count)
        search(into: &reports)
    }

    private mutating func search(into reports: inout [DecodeReport]) {
        var used = 0
        while waiting.count - used >= FSKBand.quantum {
            let part = waiting[used..<used + FSKBand.quantum]
            baseband.append(part)
            field.append(part)
            for index in receivers.indices { receivers[index].search(field, baseband, into: &reports) }
            field.drop(before: receivers.lazy.map { $0.oldestNoiseStep }.min() ?? 0)
            let oldest = receivers.lazy.map { $0.oldestSample }.min() ?? 0
            // Not before it is more than what is kept: what is kept is moved.
            let spare = max(Int(2 * plan.basebandRateHz), baseband.end - oldest)
            if oldest - baseband.start > spare { baseband.drop(before: oldest) }
            used += FSKBand.quantum
        }
        waiting.removeFirst(used)
    }

    var statistics: ReceiverStatistics {
        receivers.reduce(into: ReceiverStatistics()) { $0.add($1.statistics) }
    }
}
