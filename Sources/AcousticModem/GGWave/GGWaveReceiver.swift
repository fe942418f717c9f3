import Signal

/// A receiver for ggwave's protocols of variable length, all behind one search.
///
///     GGWaveMarkerSearch → start → three speeds → lengths that their first bytes allow → messages
///
/// Speeds share their markers and no message has check bits, so the first message that can be read need not
/// be the true one: every hypothesis is scored by how much of the sound it explains, and hypotheses that do
/// not explain enough are refused. The receiver never waits for an end marker: a message that breaks off
/// costs the next one nothing.
struct GGWaveReceiver: FamilyReceiver {
    private var history: SampleHistory
    private var search: GGWaveMarkerSearch
    private var reader = GGWaveMessageReader()
    private let profiles: [[GGWaveProfile]]
    /// The samples not yet searched, less than a quantum.
    private var waiting: [Float] = []
    private var peaks: [GGWaveMarkerSearch.Peak] = []
    private var watches: [GGWaveWatch] = []
    private var skippedSamples: Int64 = 0
    let flushSamples: Int
    private(set) var statistics = ReceiverStatistics()

    /// The most starts under observation: further ones are only noise.
    private static let mostWatches = 24
    /// The frames of sound that are kept: for a marker that may still be found, and before a message that is
    /// watched.
    private static let keptFrames = (searched: 48, before: 8)

    /// Returns receivers for all of these profiles, which are of variable length.
    static func receivers(of profiles: [GGWaveProfile]) -> [CopyOnWrite<GGWaveReceiver>] {
        [false, true].compactMap { isScrambled in
            let alike = profiles.filter { $0.isScrambled == isScrambled }
            return alike.isEmpty ? nil : CopyOnWrite(GGWaveReceiver(profiles: alike))
        }
    }

    /// - Parameter profiles: profiles of variable length.
    init(profiles: [GGWaveProfile]) {
        let firstBins = Set(profiles.map { $0.waveform.firstBin }).sorted()
        self.profiles = firstBins.map { bin in profiles.filter { $0.waveform.firstBin == bin } }
        search = GGWaveMarkerSearch(firstBins: firstBins)
        let longest = profiles.map { $0.layout(tokenByteCount: 140).sampleCount }.max() ?? 0
        flushSamples = longest + 64 * GGWaveProtocol.frameSamples
        history = SampleHistory(holding: GGWaveReceiver.keptFrames.searched * GGWaveProtocol.frameSamples)
        waiting.reserveCapacity(GGWaveMarkerSearch.quantum)
    }

    mutating func process(_ sound: FreshSound, into reports: inout [DecodeReport]) {
        var rest = sound.samples[...]
        while !rest.isEmpty {
            let part = rest.prefix(GGWaveMarkerSearch.quantum - waiting.count)
            let first = waiting.count
            waiting.append(contentsOf: part)
            waiting.withUnsafeMutableBufferPointer {
                Kernels.copySane(
                    UnsafeBufferPointer(rebasing: part).baseAddress!, part.count,
                    into: $0.baseAddress! + first)
            }
            rest = rest.dropFirst(part.count)
            guard waiting.count == GGWaveMarkerSearch.quantum else { return }
            searchWaiting()
            settle(before: history.end, into: &reports)
        }
    }

    mutating func skip(samples: Int64) { skippedSamples += samples }

    mutating func exchangeScratch(with other: inout GGWaveReceiver) {
        search.exchangeScratch(with: &other.search)
        swap(&reader, &other.reader)
    }

    mutating func finish(into reports: inout [DecodeReport]) {
        waiting += repeatElement(0, count: GGWaveMarkerSearch.quantum - waiting.count)
        searchWaiting()
        search.finish(into: &peaks)
        addWatches()
        settle(before: .max, into: &reports)
    }

    private mutating func searchWaiting() {
        history.makeRoom(for: waiting.count, from: oldestNeeded)
        waiting.withUnsafeBufferPointer {
            history.append($0)
            search.process($0.baseAddress!, into: &peaks)
        }
        waiting.removeAll(keepingCapacity: true)
        addWatches()
    }

    /// The oldest sample that may still be read.
    private var oldestNeeded: SamplePosition {
        let (size, kept) = (GGWaveProtocol.frameSamples, GGWaveReceiver.keptFrames)
        let watched = watches.lazy.map { $0.start }.min() ?? .max
        return min(history.end - kept.searched * size, watched - kept.before * size)
    }

    private mutating func addWatches() {
        for peak in peaks {
            statistics.candidates += 1
            let members = profiles[peak.band]
            let marker = reader.locateMarker(
                near: peak.frame * GGWaveProtocol.frameSamples, firstBin: members[0].waveform.firstBin,
                history)
            if watches.count == GGWaveReceiver.mostWatches {
                let weakest = watches.indices.min { watches[$0].agreement < watches[$1].agreement }!
                watches.remove(at: weakest)
                statistics.crowded += 1
            }
            watches.append(GGWaveWatch(start: marker.start, agreement: marker.agreement, profiles: members))
        }
        peaks.removeAll(keepingCapacity: true)
    }

    /// Reads the messages that should be complete by `end`.
    private mutating func settle(before end: SamplePosition, into reports: inout [DecodeReport]) {
        var index = 0
        while index < watches.count {
            if let finding = watches[index].advance(to: end, history, &reader, &statistics) {
                statistics.reports += 1
                reports.append(finding.report)
                reports[reports.count - 1].startSample += Double(skippedSamples)
                watches.remove(at: index)
                // Starts before the message's end were made of it.
                let claimed =
                    finding.range.lowerBound - GGWaveProtocol.markerSamples / 2..<finding.range.upperBound
                watches.removeAll { claimed.contains($0.start) && $0.isNear(finding.report) }
                index = 0
            } else if watches[index].isOver {
                watches.remove(at: index)
            } else {
                index += 1
            }
        }
    }
}
