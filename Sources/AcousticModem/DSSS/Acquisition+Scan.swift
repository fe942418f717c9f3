import Signal

/// The first stages of a search: the gate of every start, and the cells of those that pass.
extension Acquisition {
    /// Finds the cells of all wanted starts. Returns the number of starts that passed the gate.
    mutating func scan(
        _ field: ClusterField, _ others: OtherFields, _ wanted: WantedStarts, _ cells: inout [Cell]
    ) -> Int {
        var gated = 0
        // Copied once: each call that reads them in place would retain them.
        let (grid, burst) = (grid, burst)
        let seeksStrong = readsOuterBins && field.strongEnd > wanted.open[0].starts.lowerBound
        for bin in seeksStrong ? 0..<grid.binCount : grid.coreBins {
            let isCore = grid.coreBins.contains(bin)
            for run in burst.runs[bin] {
                for part in wanted.open {
                    let threshold =
                        isCore
                        ? gate.threshold(part.energy, mayBeRooms: wanted.mayBeRooms) : gate.strong
                    let scan = Scan(
                        bin: bin, groups: run, threshold: threshold, everyStart: wanted.isPrompt)
                    gated +=
                        burst.plan.channelCount == 1
                        ? scanStarts(field, grid, burst, part, scan, &cells)
                        : scanStarts(field, others, part, scan, &cells)
                }
            }
        }
        return gated
    }

    /// A bin, a run of its groups, and the gate that applies to them.
    private struct Scan {
        let bin: Int
        let groups: Range<Int>
        /// The sum over clusters that a start must reach.
        let threshold: Float
        /// True if every start over the gate counts, not only local maxima.
        let everyStart: Bool
    }

    /// Gates one bin and one run of groups, and evaluates the local maxima that pass. Returns their number.
    private mutating func scanStarts(
        _ field: ClusterField, _ grid: SearchGrid, _ burst: BurstGrid, _ open: OpenStarts, _ scan: Scan,
        _ cells: inout [Cell]
    ) -> Int {
        let (bin, groups) = (scan.bin, scan.groups)
        let starts = open.starts
        // Start p stands at p − first; the array has one neighbour more at each end.
        let first = starts.lowerBound - 1
        let count = starts.count + 2
        setSegmentOffsets(scan)
        let sums = gateSums.claim()
        let places = self.places.claim()
        return field.withBin(bin) { rows, gates in
            let values = rows.from(starts.lowerBound)
            var gate = gates.from(first)
            if segmentOffsets.count > 1 {
                segmentOffsets.withUnsafeBufferPointer {
                    Kernels.sumRows(gate, offsets: $0, count, into: sums)
                }
                gate = UnsafePointer(sums)
            }
            let passed = Kernels.peaksAbove(
                scan.threshold, gate + 1, starts.count, all: scan.everyStart, into: places)
            var gains = SegmentGains(bin: bin, group: groups.lowerBound)
            GroupSums.withCells(grid, burst, bin: bin, groups: groups) { sums in
                for i in 0..<passed {
                    let place = Int(places[i])
                    let position = starts.lowerBound + place
                    gains.move(to: position, field, grid, burst)
                    let peaks = sums.peaks(values + place, gains.values)
                    guard worth.isReached(peaks, gate: gate[place + 1]) else { continue }
                    var cell = evaluator.cell(
                        CellPlace(
                            bin: bin, groups: groups, position: position,
                            rows: ChannelRows(rows, gates, count: 1), gains: BurstPlan.gains(gains.values),
                            gate: gate[place + 1]))
                    cell.missingNats = open.energy.missingNats
                    cells.append(cell)
                }
            }
            return passed
        }
    }

    private mutating func setSegmentOffsets(_ scan: Scan) {
        for segment in segmentOffsets.indices {
            segmentOffsets[segment] = burst.segmentOffset(
                bin: scan.bin, group: scan.groups.lowerBound, segment: segment)
        }
    }

    /// Does the same for several channels. Their energy together leaves few starts to search, so that every
    /// cell is evaluated in full.
    private mutating func scanStarts(
        _ field: ClusterField, _ others: OtherFields, _ open: OpenStarts, _ scan: Scan,
        _ cells: inout [Cell]
    ) -> Int {
        let starts = open.starts
        setSegmentOffsets(scan)
        let gate = UnsafePointer(gateSums.claim())
        let places = self.places.claim()
        return others.withBin(scan.bin, field) { rows in
            sumGates(rows, from: starts.lowerBound - 1, starts.count + 2)
            let passed = Kernels.peaksAbove(
                scan.threshold, gate + 1, starts.count, all: scan.everyStart, into: places)
            for i in 0..<passed {
                let place = Int(places[i])
                let position = starts.lowerBound + place
                let gains = burst.noiseGains(
                    field, others, grid, bin: scan.bin, group: scan.groups.lowerBound, position)
                var cell = evaluator.cell(
                    CellPlace(
                        bin: scan.bin, groups: scan.groups, position: position, rows: rows, gains: gains,
                        gate: gate[place + 1]))
                cell.missingNats = open.energy.missingNats
                cells.append(cell)
            }
            return passed
        }
    }

    /// Sums the gates of some starts over all looks. `[count]`
    private mutating func sumGates(_ rows: ChannelRows, from first: SamplePosition, _ count: Int) {
        let (sums, more) = (gateSums.claim(), channelSums.claim())
        segmentOffsets.withUnsafeBufferPointer { offsets in
            Kernels.sumRows(rows.gates(0, from: first), offsets: offsets, count, into: sums)
            for channel in 1..<rows.count {
                Kernels.sumRows(rows.gates(channel, from: first), offsets: offsets, count, into: more)
                for i in 0..<count { sums[i] += more[i] }
            }
        }
    }
}
