import Signal

/// The step from segments of the line to bursts: bytes between which the carrier lasts.
///
/// Noise is read as bytes too. A carrier differs in that its tones have one level and little is left beside
/// them. A running sum rises with evidence for a carrier and falls with evidence for noise. A burst may begin
/// where the sum began to rise; once the sum has fallen far enough from its peak, the burst ended at the
/// peak.
struct BurstTracker: Sendable {
    /// The number of segments at either end of a burst that are read again, and of steps beyond it.
    private static let edgeCount = 6
    private static let marginSteps = 60

    /// The most segments kept: as many idle ones as bytes, and as many again not at the peak yet.
    private static let capacity = 4 * UARTProfile.byteCounts.upperBound

    private var segments: [LineSegment] = []
    private var carrier: CarrierEstimate?
    private var level: Float = 0
    private var peak: Float = 0
    /// The number of segments up to the peak, and the sum of all of their tones.
    private var peakCount = 0
    private var tones = ToneEvidence()
    private var byteCount = 0
    private var headIsRead = false

    init() { segments.reserveCapacity(1024) }

    /// True if there are as many bytes as a report may hold.
    private var isFull: Bool { byteCount == UARTProfile.byteCounts.upperBound }

    /// A burst that was given up or found.
    enum Outcome {
        case burst([LineSegment])
        case belowEvidence
    }

    mutating func take(_ segment: LineSegment, _ windows: borrowing ToneWindows, _ use: (Outcome) -> Void) {
        append(segment)
        advance(from: segments.count - 1, windows, use)
    }

    mutating func finish(_ windows: borrowing ToneWindows, _ use: (Outcome) -> Void) {
        while !segments.isEmpty { end(windows, use) }
    }

    /// Appends a segment. Idling up to the peak is kept as one segment, however long.
    private mutating func append(_ segment: LineSegment) {
        if peakCount == segments.count, peakCount > 1, !segments[peakCount - 1].isByte,
            !segments[peakCount - 2].isByte
        {
            segments[peakCount - 2].tones += segments[peakCount - 1].tones
            segments[peakCount - 2].endStep = segments[peakCount - 1].endStep
            segments.removeLast()
            peakCount -= 1
        }
        segments.append(segment)
    }

    private mutating func advance(
        from first: Int, _ windows: borrowing ToneWindows, _ use: (Outcome) -> Void
    ) {
        var index = first
        while index < segments.count {
            add(segments[index])
            index += 1
            if level > peak {
                (peak, peakCount) = (level, index)
                if peak > Thresholds.uart.establishedNats { carrier = CarrierEstimate(tones) }
                if !headIsRead, index == segments.count, index >= 2 * BurstTracker.edgeCount {
                    readHead(windows)
                    index = segments.count
                }
            }
            if level <= 0 || peak - level > Thresholds.uart.endingNats
                || isFull || index == BurstTracker.capacity
            {
                end(windows, use)
                index = 0
            }
        }
    }

    private mutating func add(_ segment: LineSegment) {
        tones += segment.tones
        if segment.isByte { byteCount += 1 }
        if let carrier {
            level += carrier.nats(segment.tones)
        } else {
            let surplus = segment.tones.carrierLogRatio - Thresholds.uart.neutralLogRatio
            level += Float(segment.tones.bitCount) * surplus
        }
    }

    /// Judges the segments up to the peak, and begins anew after it.
    private mutating func end(_ windows: borrowing ToneWindows, _ use: (Outcome) -> Void) {
        if peakCount > 0 { judge(0..<peakCount, windows, use) }
        headIsRead = isFull && peakCount == segments.count  // what follows is no beginning
        segments.removeFirst(max(1, peakCount))
        (level, peak, peakCount, byteCount) = (0, 0, 0, 0)
        tones = ToneEvidence()
        carrier = nil
    }

    private func judge(
        _ found: Range<Int>, _ windows: borrowing ToneWindows, _ use: (Outcome) -> Void
    ) {
        guard let range = trimmed(found) else { return }
        guard verdict(range).isFrame else { return use(.belowEvidence) }
        let burst = withEdges(range, CarrierEstimate(tones(of: range)), windows)
        use(isFramed(burst[...], wrongShare: Thresholds.uart.readFraming) ? .burst(burst) : .belowEvidence)
    }

    /// Returns true if enough start and stop bits are right. A steady tone reads as bytes whose stop bits are
    /// all wrong.
    ///
    /// - Parameter wrongShare: the least number of bytes for each wrong start or stop bit.
    private func isFramed(_ burst: ArraySlice<LineSegment>, wrongShare: Int) -> Bool {
        var (byteCount, wrong) = (0, 0)
        for segment in burst where segment.isByte {
            byteCount += 1
            wrong += segment.wrongFramingBits
        }
        return byteCount > 0 && wrong * wrongShare <= byteCount
    }

    /// Returns the gate's verdict about segments as they were first read.
    private func verdict(_ range: Range<Int>) -> Verdict {
        let tones = tones(of: range)
        let isFramed = isFramed(segments[range], wrongShare: Thresholds.uart.foundFraming)
        return AcceptanceGate.uart(bitCount: tones.bitCount).verdict(
            Evidence(stage: isFramed ? .checked : .decoded, pilotNats: tones.carrierLogRatio))
    }

    /// Returns true if segments hold enough of a carrier for their beginning to be read again.
    private func isEvident(_ range: Range<Int>) -> Bool {
        let tones = tones(of: range)
        let evidence = Evidence(stage: .found, pilotNats: tones.carrierLogRatio)
        return AcceptanceGate.uart(bitCount: tones.bitCount).verdict(evidence) == .look
    }

    private func tones(of range: Range<Int>) -> ToneEvidence {
        var tones = ToneEvidence()
        for index in range { tones += segments[index].tones }
        return tones
    }

    /// Returns the burst with its end read again, and its beginning too if that has not been done.
    private func withEdges(
        _ found: Range<Int>, _ carrier: CarrierEstimate, _ windows: borrowing ToneWindows
    ) -> [LineSegment] {
        let burst = segments[found]
        guard !isFull else { return Array(burst) }  // it goes on
        guard let last = burst.last else { return [] }
        let kept = headIsRead ? burst.dropLast(BurstTracker.edgeCount) : []
        let first = kept.last?.endStep ?? burst[burst.startIndex].startStep - BurstTracker.marginSteps
        let oldest = windows.end - ToneWindows.capacity
        let range = max(0, oldest, first)..<min(windows.end, last.endStep + BurstTracker.marginSteps)
        guard first >= oldest, !range.isEmpty else { return Array(burst) }
        var reader = EdgeReader(range, carrier, windows)
        return kept + reader.read(fromNoise: kept.isEmpty, toNoise: true, windows)
    }

    /// Reads the beginning of a long burst again while its windows are kept.
    private mutating func readHead(_ windows: borrowing ToneWindows) {
        guard let carrier, let range = trimmed(0..<peakCount), isEvident(range) else { return }
        headIsRead = true
        let first = segments[range.lowerBound].startStep - BurstTracker.marginSteps
        let oldest = windows.end - ToneWindows.capacity
        let steps = max(0, oldest, first)..<min(windows.end, segments[peakCount - 1].endStep)
        guard first >= oldest, !steps.isEmpty else { return }
        var reader = EdgeReader(steps, carrier, windows)
        let head = reader.read(fromNoise: true, toNoise: false, windows)
        guard !head.isEmpty else { return }
        segments.replaceSubrange(..<peakCount, with: head)
        peakCount = head.count
        byteCount = segments.count(where: { $0.isByte })
    }

    /// Returns the segments from the carrier's beginning on; `nil` without bytes.
    private func trimmed(_ found: Range<Int>) -> Range<Int>? {
        let carrier = CarrierEstimate(tones(of: found))
        var (sum, best, start) = (Float(0), Float(0), found.upperBound)
        for index in found.reversed() {
            sum += carrier.nats(segments[index].tones)
            if sum > best { (best, start) = (sum, index) }
        }
        let range = start..<found.upperBound
        return range.contains { segments[$0].isByte } ? range : nil
    }
}
