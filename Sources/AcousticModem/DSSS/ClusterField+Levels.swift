import Signal

/// The noise levels against which hypotheses are judged.
extension ClusterField {
    /// Returns the mean power of a bin over `span` columns from `position`: the noise level of a hypothesis
    /// there. It includes the frame's own data chips, which are noise to every wrong hypothesis. If the sound
    /// gets louder or quieter within the span, the level is that at a segment's clusters alone.
    func level(bin: Int, from position: SamplePosition, span: Int) -> Float {
        levelAndChange(bin: bin, from: position, span: span).level
    }

    /// Returns the same, and the first position after `position` whose level over `span` may differ.
    func levelAndChange(
        bin: Int, from position: SamplePosition, span: Int
    ) -> (level: Float, change: SamplePosition) {
        let blocks = held(position, span)
        if parts.haveSteps(blocks) { return (clusterLevel(bin, position), position + 1) }
        func blockEnd(_ column: SamplePosition) -> SamplePosition {
            let hop = correlator.hop
            return column < origin ? origin : ((column.since(origin) / hop + 1) * hop).after(origin)
        }
        let change = min(blockEnd(position), blockEnd(position + span) - span)
        return (blocks.isEmpty ? 0 : level(bin, blocks.lowerBound...blocks.upperBound - 1), change)
    }

    /// Returns true if the sound gets louder or quieter within `span` columns from `position`.
    func hasSteps(from position: SamplePosition, span: Int) -> Bool { parts.haveSteps(held(position, span)) }

    /// Returns the blocks that `span` columns from `position` touch, counted from the oldest block.
    private func held(_ position: SamplePosition, _ span: Int) -> Range<Int> {
        let hop = correlator.hop
        let first = max(position.since(origin) / hop - firstBlock, 0)
        let last = min((position + span).since(origin) / hop - firstBlock, blocks.count - 1)
        return first..<max(first, last + 1)
    }

    /// Returns the mean level about the clusters of a segment from `position` on. The level of a part of a
    /// block is the block's level times the part's share of the power.
    private func clusterLevel(_ bin: Int, _ position: SamplePosition) -> Float {
        var (sum, count): (Float, Float) = (0, 0)
        grid.withGateOffsets(bin: bin) { offsets in
            for offset in offsets {
                let part = (position + offset).since(origin) / parts.sampleCount - firstBlock * parts.perBlock
                let index = part / parts.perBlock
                guard part >= 0, index < blocks.count else { continue }
                let level = levels[index * grid.binCount + bin]
                guard level > 0 else { continue }
                sum += level * parts.share(part)
                count += 1
            }
        }
        return count > 0 ? sum / count : 0
    }

    /// Returns the mean level of a bin over those of some blocks that have been made and are not silent.
    func level(_ bin: Int, _ indices: ClosedRange<Int>) -> Float {
        var sum: Float = 0
        var count: Float = 0
        for index in max(indices.lowerBound, 0)...max(min(indices.upperBound, blocks.count - 1), 0) {
            let level = levels[index * grid.binCount + bin]
            sum += level
            if level > 0 { count += 1 }
        }
        return count > 0 ? sum / count : 0
    }
}
