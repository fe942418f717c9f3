import Signal

/// The receivers of the DSSS profiles of a band, on one channel or on several that go on together.
///
///     FrontEnd ─ no bangs → BandGuard → ClusterField → Acquisition → Tracker → DSSSFrameDecoder → report
///        └─ at once → LoudPassage → PromptSearch ─────────────┘
///
/// Each channel has stages of its own up to its ``ClusterField``; see ``SegmentGroup`` for what follows.
struct DSSSBand: FamilyReceiver {
    let band: Band
    let energyBlock: EnergyBlock
    private(set) var channels: [CopyOnWrite<DSSSChannel>]
    /// The searched sound of each channel, and its noise.
    var basebands: [BasebandWindow]
    var noises: [SteadyNoise]
    /// The frames that each channel has heard, to be taken out of its sound.
    var cancellers: [FrameCanceller]
    /// The tokens heard lately, if they are to be recognised.
    var recogniser: TokenRecogniser?
    private var selection: ChannelSelection
    var groups: [SegmentGroup]
    /// The number of samples by which the full search lags behind the prompt search, and the most of them.
    private var lead = 0
    private var greatestLead = 0
    /// The skipped samples, at 48 kHz, that positions of the baseband do not count.
    private(set) var skippedSamples: Int64 = 0

    /// The baseband samples that are searched at a time, counted from the first: decisions fall at the same
    /// samples whatever the chunks. Loud passages are searched more often: every 10 ms.
    private let quantum: Int
    private let promptQuantum: Int
    /// The samples that pass the guard at a time.
    private var guardQuantum: Int { energyBlock.sampleCount }
    private static let blocksPerQuantum = 2
    private static let promptSeconds = 0.01
    /// The least length that is dropped at once: to drop samples moves the others.
    private static let dropSeconds = 6.0

    /// Creates the receivers of at least one profile.
    ///
    /// - Parameters:
    ///   - profiles: profiles of the same band.
    ///   - options: as for ``Receiver``.
    init(
        profiles: [DSSSProfile], channelCount: Int = 1, options: ReceiverOptions,
        observer: (any ReceiverObserver)?
    ) {
        let band = profiles[0].band
        self.band = band
        energyBlock = EnergyBlock(band: band)
        quantum = DSSSBand.blocksPerQuantum * energyBlock.sampleCount
        promptQuantum = band.samples(seconds: DSSSBand.promptSeconds)
        precondition(quantum % promptQuantum == 0, "10 ms must be a whole number of samples")
        groups = SegmentGroup.of(profiles, channelCount: channelCount, options, observer)
        let keptSamples = groups.lazy.map { $0.passageSamples }.max() ?? 0
        channels = copies(channelCount) { CopyOnWrite(DSSSChannel(band, keptSamples: keptSamples)) }
        basebands = Array(repeating: BasebandWindow(), count: channelCount)
        noises = (0..<channelCount).map { [variance = energyBlock.variance] _ in
            SteadyNoise(variance: variance)
        }
        cancellers = Array(repeating: FrameCanceller(band: band), count: channelCount)
        recogniser = TokenRecogniser.isOffered && options.renewsTokens ? TokenRecogniser(band: band) : nil
        selection = ChannelSelection(channelCount: channelCount)
    }

    mutating func process(_ sound: FreshSound, into reports: inout [DecodeReport]) {
        sound.frontEnd(of: band).read {
            take($0.baseband, limited: $0.limited, limiterDelay: $0.limiterDelay, channel: 0)
        }
        advance(into: &reports)
    }

    /// Takes the next baseband of one channel, and the same without impulses.
    ///
    /// - Parameter limiterDelay: the most samples by which `limited` comes later; the same on all channels.
    mutating func take(_ baseband: [Complex], limited: [Complex], limiterDelay: Int, channel: Int) {
        greatestLead = limiterDelay
        channels[channel].value.decimated += baseband
        channels[channel].value.limited += limited
    }

    /// Goes on with what was taken. All channels have taken as much.
    mutating func advance(into reports: inout [DecodeReport]) {
        var (used, taken) = (0, 0)
        while channels[0].value.decimated.count - used >= promptQuantum {
            let known = reports.count
            for channel in channels.indices {
                let part = channels[channel].value.decimated[used..<used + promptQuantum]
                hearPromptly(part, channel, into: &reports)
                if FrameCanceller.isOffered { channels[channel].value.unguarded.append(part) }
            }
            used += promptQuantum
            lead += promptQuantum
            if lead >= greatestLead + guardQuantum {
                for channel in channels.indices {
                    channels[channel].value.guardBand(from: taken, count: lead - greatestLead)
                }
                taken += lead - greatestLead
                lead = greatestLead
                search(into: &reports)
            }
            for index in known..<reports.count {
                let channel = reports[index].channelIndex
                channels[channel].value.bandGuard.noteHeard(reports[index...index])
                energyBlock.leaveOut(
                    reports[index], skippedSamples: skippedSamples, of: &noises[channel])
            }
        }
        for channel in channels.indices { channels[channel].value.drop(decimated: used, limited: taken) }
    }

    /// The number of zeros that ``finish(into:)`` appends to the guard's output.
    private var searchFlushSamples: Int { (groups.map { $0.flushSamples }.max() ?? 0) + quantum }

    var flushSamples: Int {
        band.decimation * (promptQuantum + channels[0].value.bandGuard.flushSamples + searchFlushSamples)
    }

    mutating func skip(samples: Int64) {
        skippedSamples += samples
        for index in groups.indices { groups[index].skip(samples: samples) }
        if TokenRecogniser.isOffered { recogniser?.skip(samples: samples) }
    }

    mutating func exchangeScratch(with other: inout DSSSBand) {
        for index in channels.indices {
            channels[index].value.bandGuard.exchangeScratch(
                with: &other.channels[index].value.bandGuard)
        }
        for index in groups.indices { groups[index].exchangeScratch(with: &other.groups[index]) }
    }

    mutating func finish(into reports: inout [DecodeReport]) {
        for channel in channels.indices { channels[channel].value.finish() }
        search(into: &reports)
        // Silence is appended one quantum at a time: all of it at once would take more memory than anything
        // before.
        for first in stride(from: 0, to: searchFlushSamples, by: quantum) {
            for channel in channels.indices {
                let silence = repeatElement(Complex.zero, count: min(quantum, searchFlushSamples - first))
                channels[channel].value.waiting += silence
                if FrameCanceller.isOffered { channels[channel].value.unguarded.append(silence) }
            }
            search(into: &reports)
        }
    }

    private mutating func hearPromptly(
        _ part: ArraySlice<Complex>, _ channel: Int, into reports: inout [DecodeReport]
    ) {
        let event = channels[channel].value.passage.append(part)
        if case .quiet = event { return }
        let (passage, known) = (channels[channel].value.passage, reports.count)
        for index in groups.indices {
            switch event {
            case .quiet: break
            case .began(let start):
                groups[index].hearPromptly(
                    channel: channel, passage, passage.baseband.samples(from: start), into: &reports)
            case .goesOn: groups[index].hearPromptly(channel: channel, passage, part, into: &reports)
            case .ended: groups[index].endPassage(channel: channel)
            }
        }
        for index in known..<reports.count { reports[index].channelIndex = channel }
        noteHeard(reports[known...])
    }

    private mutating func search(into reports: inout [DecodeReport]) {
        guard channels[0].value.waiting.count >= quantum else { return }
        var used = 0
        while channels[0].value.waiting.count - used >= quantum {
            for channel in channels.indices {
                basebands[channel].append(channels[channel].value.waiting[used..<used + quantum])
                energyBlock.add(basebands[channel], blocks: DSSSBand.blocksPerQuantum, to: &noises[channel])
            }
            if ChannelSet.most > 1, channels.count > 1, selection.add(quantum, of: basebands) {
                for index in groups.indices { groups[index].choose(selection.chosen) }
            }
            let known = reports.count
            for index in groups.indices {
                groups[index].process(quantum, of: basebands, noises, into: &reports)
            }
            noteHeard(reports[known...])
            searchResiduals(into: &reports)
            recognise(into: &reports)
            used += quantum
            dropSearched()
        }
        for channel in channels.indices { channels[channel].value.waiting.removeFirst(used) }
    }

    /// The oldest baseband sample that some receiver still needs.
    private var oldestNeeded: SamplePosition {
        groups.indices.reduce(oldestForResidual) { min($0, groups[$1].oldestNeeded) }
    }

    /// Drops what no search reads any more.
    private mutating func dropSearched() {
        let oldest = oldestNeeded
        guard oldest - basebands[0].start > band.samples(seconds: DSSSBand.dropSeconds)
        else { return }
        for channel in channels.indices {
            basebands[channel].drop(before: oldest)
            channels[channel].value.unguarded.drop(before: oldest)
            noises[channel].drop(before: oldest / energyBlock.sampleCount)
        }
    }

    var statistics: ReceiverStatistics {
        groups.reduce(into: ReceiverStatistics()) { $0.add($1.statistics) }
    }
}
