import Signal

/// The powers of the clusters of all looks of a plan at delays about a place, each over the noise of its
/// own time.
struct DelayPowers: Sendable {
    /// A place at which a start is refined: a lane and some groups of a bin, about a position.
    struct Place {
        let bin: Int
        let groups: Range<Int>
        let lane: Int
        var position: SamplePosition
    }

    /// The number of delays that share one noise level if the level changes.
    private static let levelDelays = 8

    let grid: SearchGrid
    let burst: BurstGrid
    /// The offset of each delay from a place's position, in order, in baseband samples.
    let delaySamples: [Int]

    /// Measures a place. Delays that the field does not hold have powers of 0.
    ///
    /// - Parameter powers: `[delay][group]` over all groups of the bin. The groups of the place are set.
    func measure(
        _ field: ClusterField, _ others: OtherFields, _ place: Place,
        into powers: UnsafeMutablePointer<SIMD8<Float>>
    ) {
        let (position, stride) = (place.position, grid.groupsPerBin)
        for group in place.groups {
            for delay in delaySamples.indices { powers[delay * stride + group] = .zero }
            let last = burst.segmentOffset(bin: place.bin, group: group, segment: burst.plan.segmentCount - 1)
            let start = field.start(ofBin: place.bin)
            let first = delaySamples.firstIndex { position + $0 >= start } ?? delaySamples.endIndex
            let end = field.end - last - grid.segmentSpanSamples - position
            let held = delaySamples[first...].prefix { $0 < end }
            guard hasSteps(field, others, place, held) else {
                add(field, others, place, group, held, levelAt: 0, powers)
                continue
            }
            for next in Swift.stride(from: held.startIndex, to: held.endIndex, by: DelayPowers.levelDelays) {
                let part = held[next..<min(next + DelayPowers.levelDelays, held.endIndex)]
                add(field, others, place, group, part, levelAt: part[(next + part.endIndex) / 2], powers)
            }
        }
    }

    /// Returns true if the sound gets louder or quieter within the time of some delays.
    private func hasSteps(
        _ field: ClusterField, _ others: OtherFields, _ place: Place, _ delays: ArraySlice<Int>
    ) -> Bool {
        guard let first = delays.first, let last = delays.last else { return false }
        return (0..<burst.plan.segmentCount).contains { segment in
            let offset = burst.segmentOffset(
                bin: place.bin, group: place.groups.lowerBound, segment: segment)
            return others.haveSteps(
                field, from: place.position + first + offset, span: last - first + grid.segmentSpanSamples)
        }
    }

    /// Adds the powers of all looks of a group at some delays.
    ///
    /// - Parameter delay: the delay, from the place's position, whose noise level applies to all of them.
    private func add(
        _ field: ClusterField, _ others: OtherFields, _ place: Place, _ group: Int, _ delays: ArraySlice<Int>,
        levelAt delay: Int,
        _ powers: UnsafeMutablePointer<SIMD8<Float>>
    ) {
        let (bin, stride, plan) = (place.bin, grid.groupsPerBin, burst.plan)
        let gains = burst.noiseGains(
            field, others, grid, bin: bin, group: place.groups.lowerBound, place.position + delay)
        others.withBin(bin, field) { rows in
            delays.withUnsafeBufferPointer { starts in
                for look in 0..<plan.lookCount {
                    let (channel, segment) = look.quotientAndRemainder(dividingBy: plan.segmentCount)
                    let start =
                        place.position + burst.segmentOffset(bin: bin, group: group, segment: segment)
                    let pattern = PilotPattern.pattern(
                        lane: place.lane, segment: plan.layoutIndex(segment: segment))
                    GroupSums.addPowers(
                        rows.values(channel, from: start), starts: starts, grid, bin: bin, group: group,
                        pattern: pattern,
                        gain: gains[look], to: powers + delays.startIndex * stride + group,
                        stride: stride)
                }
            }
        }
    }
}
