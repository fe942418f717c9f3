import Signal

/// The FSK profiles that share a front end and its tones.
///
///     FrontEnd or Downconverter → SteadyTones → ToneField → for each profile: FSKAcquisition → FSKTracker → FSKFrameDecoder
struct FSKBand: FamilyReceiver {
    private let plan: TonePlan
    /// None where ``FrontEnd`` has the band.
    private var downconverter: Downconverter?
    /// Unused where ``FrontEnd`` has the band.
    private var limiter: PulseLimiter
    private var exciser: ToneExciser
    private var steadyTones: SteadyTones
    private var canceller: EnvelopeCanceller
    private var decimated: [Complex] = []
    /// Less than a quantum, between two calls.
    private var limited: [Complex] = []
    private var withoutLines: [Complex] = []
    private var withoutTones: [Complex] = []
    private var baseband = BasebandWindow()
    private(set) var field: ToneField
    private var receivers: [FSKReceiver]
    private var waiting: [Complex]

    /// Baseband samples taken at a time, counted from the first: decisions fall at the same samples whatever the chunks.
    private static let quantum = 256

    init(plan: TonePlan, profiles: [FSKProfile], observer: (any ReceiverObserver)?) {
        self.plan = plan
        if plan != .nearUltrasonic {
            let halfHz = (plan.bandHz.upperBound - plan.bandHz.lowerBound) / 2 * 1.1
            downconverter = Downconverter(
                carrierHz: plan.carrierHz, cutoffHz: halfHz, factor: plan.decimation)
        }
        limiter = PulseLimiter(rateHz: plan.basebandRateHz)
        exciser = ToneExciser(
            blockCount: ToneExciser.blockCount(rateHz: plan.basebandRateHz), takesBriefTones: false)
        steadyTones = SteadyTones(plan: plan)
        canceller = EnvelopeCanceller(rateHz: plan.basebandRateHz)
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
        if downconverter == nil {
            limited += sound.limited
        } else {
            take(sound.samples)
        }
        var used = 0
        while limited.count - used >= FSKBand.quantum {
            takeOut(limited[used..<used + FSKBand.quantum])
            used += FSKBand.quantum
            let known = reports.count
            search(into: &reports)
            noteLoudFrames(reports, since: known)
        }
        limited.removeFirst(used)
    }

    private mutating func take(_ samples: UnsafeBufferPointer<Float>) {
        decimated.removeAll(keepingCapacity: true)
        downconverter?.process(samples, into: &decimated)
        limiter.process(decimated[...], into: &limited)
    }

    /// Lines, tones, and a foreign sender.
    private mutating func takeOut(_ part: ArraySlice<Complex>) {
        withoutLines.removeAll(keepingCapacity: true)
        withoutTones.removeAll(keepingCapacity: true)
        exciser.process(part, into: &withoutLines)
        steadyTones.process(withoutLines[...], into: &withoutTones)
        canceller.process(withoutTones[...], into: &waiting)
    }

    /// Tells the canceller of frames heard since `known`.
    private mutating func noteLoudFrames(_ reports: [DecodeReport], since known: Int) {
        let isLoud = reports[known...].contains { $0.snrDecibels > EnvelopeCanceller.loudDecibels }
        if isLoud { canceller.heardLoudFrame() }
    }

    mutating func finish(into reports: inout [DecodeReport]) {
        if downconverter != nil {
            let silence = [Float](repeating: 0, count: 256)
            silence.withUnsafeBufferPointer { take($0) }
            let blank = [Complex](repeating: .zero, count: limiter.delaySamples)
            limiter.process(blank[...], into: &limited)
        }
        let blanks = exciser.blockCount + steadyTones.flushCount + canceller.delaySamples
        takeOut((limited + repeatElement(.zero, count: blanks))[...])
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
