import Signal

/// A refinement of cells to candidates: it finds the best fine Doppler, reference path and delay profile
/// around each cell, by the marginal likelihood of the pilots at 124 delays a chip apart.
///
///     delays:   −44 ……… cell ……… +79 chips
///                  ▁▂█▆▅▄▃▂▁            the profile slides along; its direct path is the reference
struct CandidateRefiner: Sendable {
    private static let delayCount = 124
    private static let delaysBefore = 44
    private static let maximumMoves = 4
    /// Candidates nearer to each other than this are one.
    private static let mergeSamples = 3.0, mergeHz = 1.2

    /// The nats that each chip earlier is worth in the search for a room's reference path.
    private static let earlyBonus: Float = 0.1
    /// The number of samples to either side within which another profile's clusters are sought.
    private static let foreignReach = 2

    private let grid: SearchGrid
    private let burst: BurstGrid
    private let hypotheses: [DelayHypothesis]
    /// The gains of the hypotheses, `[hypotheses.count][DelayProfile.tapCount]`, and the penalty that is
    /// subtracted from each score.
    private let gains: [Float]
    private let penalties: [Float]
    private let delays: DelayPowers
    /// The power at each delay and fine Doppler of a bin, over the noise. `[delayCount][fineCount / 8]`
    private var powers: ScratchBuffer<SIMD8<Float>>

    init(grid: SearchGrid, burst: BurstGrid) {
        self.grid = grid
        self.burst = burst
        hypotheses = DelayHypothesis.all(profiles: DelayProfile.all(chipRateHz: grid.profile.chipRateHz))
        gains = hypotheses.flatMap { $0.evidence.gains }
        penalties = hypotheses.map { Float(burst.plan.lookCount) * $0.evidence.cost + $0.prior }
        delays = DelayPowers(
            grid: grid, burst: burst,
            delaySamples: (0..<CandidateRefiner.delayCount).map {
                Int((Double($0 - CandidateRefiner.delaysBefore) * grid.samplesPerChip).rounded())
            })
        powers = ScratchBuffer(count: CandidateRefiner.delayCount * grid.groupsPerBin, repeating: .zero)
    }

    var reachBefore: Int { 2 * Int(Double(CandidateRefiner.delaysBefore) * grid.samplesPerChip) + 2 }
    var reachAfter: Int {
        2 * Int(Double(CandidateRefiner.delayCount - CandidateRefiner.delaysBefore) * grid.samplesPerChip) + 2
    }

    /// Refines cells and echo tails to candidates: best first, each place once.
    mutating func refine(
        _ field: ClusterField, _ others: OtherFields, cells: ArraySlice<Cell>, tails: [EchoTail],
        into found: inout [Candidate]
    ) {
        found.removeAll(keepingCapacity: true)
        let powers = powers.claim()
        for cell in cells {
            let place = place(bin: cell.bin, fine: cell.fine, lane: cell.lane, cell.position)
            var best = refine(field, others, place, powers)
            if cell.isCoherent, cell.nats - Thresholds.dsss.loneCellNats > best.score,
                !isForeign(power: cell.power, field, others, cell.position)
            {
                best = Candidate(
                    start: Double(cell.position), timeScale: grid.timeScale(bin: cell.bin, fine: cell.fine),
                    lane: cell.lane, score: cell.nats - Thresholds.dsss.loneCellNats, profileIndex: 0,
                    pilotEnergy: cell.nats / Float(burst.plan.lookCount))
            }
            merge(follow(field, others, place, best, powers), into: &found)
        }
        for tail in tails { merge(explain(field, others, tail, powers), into: &found) }
        for index in found.indices { found[index].start += grid.templateLeadSamples }
        found.sort { $0.score > $1.score }
    }

    /// Returns the best explanation of an echo tail.
    private func explain(
        _ field: ClusterField, _ others: OtherFields, _ tail: EchoTail,
        _ powers: UnsafeMutablePointer<SIMD8<Float>>
    ) -> Candidate {
        // Delays are a chip apart, so a second start about half a chip later is tried, too.
        let place = place(bin: tail.bin, fine: tail.fine, lane: tail.lane, tail.position)
        var later = place
        later.position += 1
        let (first, second) = (refine(field, others, place, powers), refine(field, others, later, powers))
        return follow(field, others, place, first.score > second.score ? first : second, powers)
    }

    /// Returns the place at which a start is refined.
    private func place(bin: Int, fine: Int, lane: Int, _ position: SamplePosition) -> DelayPowers.Place {
        let group = fine / SearchGrid.finePerGroup
        return DelayPowers.Place(
            bin: bin, groups: max(0, group - 1)..<min(grid.groupsPerBin, group + 2), lane: lane,
            position: position)
    }

    /// Searches again from the reference path found last, as long as it helps. A reference path late in the
    /// tail loses the direct path.
    private func follow(
        _ field: ClusterField, _ others: OtherFields, _ origin: DelayPowers.Place, _ candidate: Candidate,
        _ powers: UnsafeMutablePointer<SIMD8<Float>>
    ) -> Candidate {
        var best = candidate
        var place = origin
        for _ in 0..<CandidateRefiner.maximumMoves where best.score > Thresholds.dsss.followedNats {
            let moved = SamplePosition(best.start.rounded())
            if moved == place.position { break }  // this place is refined already
            place.position = moved
            let next = refine(field, others, place, powers)
            if next.score <= best.score + Thresholds.dsss.moveNats { break }
            best = next
        }
        return best
    }

    private func merge(_ candidate: Candidate, into found: inout [Candidate]) {
        let near = found.firstIndex {
            abs($0.start - candidate.start) < CandidateRefiner.mergeSamples && $0.lane == candidate.lane
                && abs($0.timeScale - candidate.timeScale) * grid.profile.carrierHz < CandidateRefiner.mergeHz
        }
        if let near {
            if candidate.score > found[near].score { found[near] = candidate }
        } else if candidate.score > 0 {
            found.append(candidate)
        }
    }

    /// Returns the best explanation of the pilots with a reference path within the delays around a place.
    private func refine(
        _ field: ClusterField, _ others: OtherFields, _ place: DelayPowers.Place,
        _ powers: UnsafeMutablePointer<SIMD8<Float>>
    ) -> Candidate {
        delays.measure(field, others, place, into: powers)
        var best = Explanation(
            delay: CandidateRefiner.delaysBefore, fine: 0, score: -.infinity, hypothesis: 0)
        let references = references(powers, place.groups)
        for index in references.indices {
            let (fine, reference, reach) = references[index]
            for delay in reference - reach...reference + reach where delay >= DelayProfile.referenceTap {
                let explanation = explain(powers, fine: fine, reference: delay)
                if explanation.score > best.score { best = explanation }
            }
        }
        if best.score > Thresholds.dsss.sweptNats, hypotheses[best.hypothesis].profileIndex != 0 {
            best = earlier(than: best, powers)
        }
        if isForeign(best, field, others, place.position, powers) { best.score = 0 }
        let shift = Double(best.delay - CandidateRefiner.delaysBefore) * grid.samplesPerChip
        return Candidate(
            start: Double(place.position) + shift,
            timeScale: grid.timeScale(bin: place.bin, fine: best.fine), lane: place.lane, score: best.score,
            profileIndex: hypotheses[best.hypothesis].profileIndex,
            pilotEnergy: hypotheses[best.hypothesis].pilotEnergy)
    }

    /// Returns an explanation with an earlier reference path, if it explains nearly as much. A reference path
    /// too late costs the energy of the paths before it; one too early costs next to nothing.
    private func earlier(than last: Explanation, _ powers: UnsafePointer<SIMD8<Float>>) -> Explanation {
        var best = last
        var bestMerit = last.score
        for delay in stride(from: last.delay - 1, through: DelayProfile.referenceTap, by: -1) {
            let explanation = explain(powers, fine: last.fine, reference: delay)
            let merit = explanation.score + CandidateRefiner.earlyBonus * Float(last.delay - delay)
            if merit > bestMerit { (best, bestMerit) = (explanation, merit) }
        }
        return best
    }

    /// Returns true if an explanation's most powerful path is of another profile's frame.
    private func isForeign(
        _ explanation: Explanation, _ field: ClusterField, _ others: OtherFields, _ position: SamplePosition,
        _ powers: UnsafePointer<SIMD8<Float>>
    ) -> Bool {
        guard explanation.score > Thresholds.dsss.doubtedNats else { return false }
        let (group, lane) = explanation.fine.quotientAndRemainder(dividingBy: SearchGrid.finePerGroup)
        func power(_ delay: Int) -> Float { powers[delay * grid.groupsPerBin + group][lane] }
        let first = explanation.delay - DelayProfile.referenceTap
        let taps = first..<min(first + DelayProfile.tapCount, CandidateRefiner.delayCount)
        let path = taps.max { power($0) < power($1) }!
        return isForeign(power: power(path), field, others, position + delays.delaySamples[path])
    }

    /// Returns true if the clusters about a start hold much more power in some bin than they add up to here.
    /// Such clusters are of a profile that has them at the same places, with other signs.
    ///
    /// - Parameter power: |Σ|² over the clusters, with a mean of 1 in noise.
    private func isForeign(
        power: Float, _ field: ClusterField, _ others: OtherFields, _ position: SamplePosition
    ) -> Bool {
        guard burst.plan.segmentCount == 1 else { return false }
        let near = position - CandidateRefiner.foreignReach...position + CandidateRefiner.foreignReach
        guard near.lowerBound >= field.start, near.upperBound + grid.segmentSpanSamples < field.end else {
            return false
        }
        let most = power / Thresholds.dsss.foreignShare / Float(grid.clusterCount)
        return grid.coreBins.contains { bin in
            let gains = burst.noiseGains(
                field, others, grid, bin: bin, group: grid.groupsPerBin / 2, position)
            return others.withBin(bin, field) { rows in
                grid.withGateOffsets(bin: bin) { offsets in
                    near.contains { start in
                        var excess: Float = 0
                        for channel in 0..<rows.count {
                            let energy = Kernels.gatheredPower(
                                rows.values(channel, from: start), offsets: offsets.baseAddress!,
                                grid.clusterCount)
                            excess += energy * gains[channel] - 1
                        }
                        return excess > most
                    }
                }
            }
        }
    }

    /// Returns the places at which a direct path may be: the two fine Dopplers with the greatest echo tail,
    /// and the cell itself.
    private func references(
        _ powers: UnsafePointer<SIMD8<Float>>, _ searched: Range<Int>
    ) -> InlineArray<3, (fine: Int, reference: Int, reach: Int)> {
        let groups = grid.groupsPerBin
        let decay: Float = 0.9556
        let mean = Float(burst.plan.lookCount)
        var best = (value: -Float.infinity, fine: 0, delay: 0)
        var second = best
        for group in searched {
            var tail = SIMD8<Float>(repeating: 0)
            for delay in stride(from: CandidateRefiner.delayCount - 1, through: 0, by: -1) {
                let power = powers[delay * groups + group]
                tail = tail * decay + (power - mean) * 0.25
                if delay > CandidateRefiner.delayCount - 40 { continue }
                let merit = tail + power * 0.75
                var most = merit.lowHalf
                most.replace(with: merit.highHalf, where: merit.highHalf .> most)
                let value = max(max(most[0], most[1]), max(most[2], most[3]))
                if value <= second.value { continue }
                let fine = group * SearchGrid.finePerGroup + merit.indexOfMaximum
                if value > best.value {
                    if fine != best.fine { second = best }
                    best = (value, fine, delay)
                } else if fine != best.fine {
                    second = (value, fine, delay)
                }
            }
        }
        let centre = CandidateRefiner.delaysBefore
        let group = searched.max { powers[centre * groups + $0].max() < powers[centre * groups + $1].max() }!
        let strongest = group * SearchGrid.finePerGroup + powers[centre * groups + group].indexOfMaximum
        return [(best.fine, best.delay, 2), (second.fine, second.delay, 2), (strongest, centre, 0)]
    }

    /// Returns the likeliest delay profile and energy for a reference path at one delay.
    private func explain(_ powers: UnsafePointer<SIMD8<Float>>, fine: Int, reference: Int) -> Explanation {
        let group = fine / SearchGrid.finePerGroup
        let lane = fine % SearchGrid.finePerGroup
        let looks = Float(burst.plan.lookCount)
        let tapCount = DelayProfile.tapCount
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: tapCount + hypotheses.count) {
            let taps = $0.baseAddress!
            let fits = taps + tapCount
            for tap in 0..<tapCount {
                let delay = reference - DelayProfile.referenceTap + tap
                taps[tap] =
                    delay < CandidateRefiner.delayCount
                    ? powers[delay * grid.groupsPerBin + group][lane] : looks
            }
            Kernels.dotRows(gains, count: hypotheses.count, taps, into: fits)
            var best = Explanation(delay: reference, fine: fine, score: -.infinity, hypothesis: 0)
            for index in penalties.indices {
                let score = fits[index] - penalties[index]
                if score > best.score { (best.score, best.hypothesis) = (score, index) }
            }
            return best
        }
    }
}
