import Signal

/// The FSK profiles that share a front end and its tones.
///
///     FrontEnd → BandGuard → ToneField → for each profile: FSKAcquisition → FSKTracker → FSKFrameDecoder
struct FSKBand: FamilyReceiver {
    let plan: TonePlan
    private var bandGuard: BandGuard
    /// Baseband that the guard has not taken yet, and the number of these samples for which receivers have
    /// done their part.
    private var limited: [Complex] = []
    private var passed = 0
    private var baseband = BasebandRing()
    private(set) var field: ToneField
    private var receivers: [CopyOnWrite<FSKReceiver>]
    private var waiting: [Complex]

    /// The number of baseband samples taken at a time, counted from the first: decisions fall at the same
    /// samples whatever the chunks.
    private static let quantum = 256
    /// The number of baseband samples for each of which receivers do a part of their work.
    private let piece: Int
    private static let pieceSeconds = 1.0 / 75
    /// The number of blocks of the field that a search usually waits for or is at.
    private static let usualBlocks = 4

    /// - Parameters:
    ///   - profiles: the profiles of one plan, at least one.
    ///   - options: as for ``Receiver``.
    init(
        profiles: [FSKProfile], options: ReceiverOptions = ReceiverOptions(),
        observer: (any ReceiverObserver)?
    ) {
        let plan = profiles[0].tones
        self.plan = plan
        bandGuard = BandGuard(plan.band, plan: plan)
        piece = plan.band.samples(seconds: FSKBand.pieceSeconds)
        let longest = profiles.map { FSKReceiver.reachSteps($0) }.max() ?? 0
        field = ToneField(
            plan: plan, keptSteps: longest + FSKBand.usualBlocks * ToneField.blockSteps,
            isForWalkers: profiles.contains(where: { $0.isForWalkers }))
        waiting = [Complex](repeating: .zero, count: plan.leadSamples)
        receivers = []
        for profile in profiles {
            receivers.append(
                CopyOnWrite(
                    FSKReceiver(
                        profile: profile, field: field, chanceWordReserve: options.chanceWordReserve,
                        observer: observer)))
        }
    }

    mutating func process(_ sound: FreshSound, into reports: inout [DecodeReport]) {
        limited += sound.frontEnd(of: plan.band).read { $0.limited }
        var used = 0
        while limited.count - used - passed >= piece {
            passed += piece
            if passed >= FSKBand.quantum {
                bandGuard.process(limited[used..<used + passed], into: &waiting)
                used += passed
                passed = 0
                takeWaiting()
            }
            let known = reports.count
            for index in receivers.indices {
                _ = receivers[index].value.advance(field, baseband, into: &reports)
            }
            bandGuard.noteHeard(reports[known...])
        }
        if used > 0 { limited.removeFirst(used) }
    }

    /// The number of baseband samples that ``finish(into:)`` appends after the guard's.
    private var searchFlushSamples: Int {
        (receivers.map { $0.read { $0.flushSamples } }.max() ?? 0) + FSKBand.quantum
    }

    var flushSamples: Int {
        plan.band.decimation * (FSKBand.quantum + piece + bandGuard.flushSamples + searchFlushSamples)
    }

    mutating func skip(samples: Int64) {
        for index in receivers.indices { receivers[index].value.skip(samples: samples) }
    }

    mutating func exchangeScratch(with other: inout FSKBand) {
        bandGuard.exchangeScratch(with: &other.bandGuard)
        field.exchangeScratch(with: &other.field)
        for index in receivers.indices {
            receivers[index].value.exchangeScratch(with: &other.receivers[index].value)
        }
    }

    mutating func finish(into reports: inout [DecodeReport]) {
        let blank = repeatElement(Complex.zero, count: bandGuard.flushSamples)
        bandGuard.process((limited + blank)[...], into: &waiting)
        limited.removeAll()
        passed = 0
        searchWaiting(into: &reports)
        // Silence is appended in the pieces that are searched: all of it at once takes more room than
        // anything before.
        for first in stride(from: 0, to: searchFlushSamples, by: FSKBand.quantum) {
            waiting += repeatElement(.zero, count: min(FSKBand.quantum, searchFlushSamples - first))
            searchWaiting(into: &reports)
        }
    }

    /// Searches all that is waiting, at the end of a recording, when no work may wait.
    private mutating func searchWaiting(into reports: inout [DecodeReport]) {
        var used = 0
        while waiting.count - used >= FSKBand.quantum {
            take(waiting[used..<used + FSKBand.quantum])
            used += FSKBand.quantum
            for index in receivers.indices {
                while receivers[index].value.advance(field, baseband, into: &reports) {}
            }
        }
        waiting.removeFirst(used)
    }

    /// Takes the waiting baseband into the field, a quantum at a time.
    private mutating func takeWaiting() {
        var used = 0
        while waiting.count - used >= FSKBand.quantum {
            take(waiting[used..<used + FSKBand.quantum])
            used += FSKBand.quantum
        }
        if used > 0 { waiting.removeFirst(used) }
    }

    private mutating func take(_ part: ArraySlice<Complex>) {
        baseband.append(part)
        field.keep(from: receivers.lazy.map { $0.read { $0.oldestFieldStep } }.min() ?? 0)
        field.append(part)
        field.drop(before: receivers.lazy.map { $0.read { $0.oldestNoiseStep } }.min() ?? 0)
        baseband.drop(before: receivers.lazy.map { $0.read { $0.oldestSample } }.min() ?? 0)
    }

    var statistics: ReceiverStatistics {
        receivers.reduce(into: ReceiverStatistics()) { $0.add($1.read { $0.statistics }) }
    }
}
