import Signal

/// The noise that hypotheses stand against.
extension ClusterField {
    /// Mean power of a bin over `span` columns from `position`: the noise level of a hypothesis there. The frame's
    /// own data chips are part of it, being noise to every wrong hypothesis. Where the sound gets louder or quieter within it, that of
    /// a segment's clusters alone.
    func level(bin: Int, from position: SamplePosition, span: Int) -> Float {
        let blocks = held(position, span)
        guard !blocks.isEmpty else { return 0 }
        let indices = blocks.lowerBound...blocks.upperBound - 1
        return parts.haveSteps(blocks) ? clusterLevel(bin, position) : level(bin, indices)
    }

    /// Whether the sound gets louder or quieter within `span` columns from `position`.
    func hasSteps(from position: SamplePosition, span: Int) -> Bool { parts.haveSteps(held(position, span)) }

    /// Blocks that `span` columns from `position` touch, from the oldest one on.
    private func held(_ position: SamplePosition, _ span: Int) -> Range<Int> {
        let hop = correlator.hop
        let first = max(position.since(origin) / hop - firstBlock, 0)
        let last = min((position + span).since(origin) / hop - firstBlock, blocks.count - 1)
        return first..<max(first, last + 1)
    }

    /// The mean level about the clusters of a segment from `position` on. Each part of a block has the share of its level that it has
    /// of its power.
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

    /// The first position after `position` whose level over `span` may be another.
    func levelChange(after position: SamplePosition, span: Int) -> SamplePosition {
        if parts.haveSteps(held(position, span)) { return position + 1 }
        let hop = correlator.hop
        func blockEnd(_ column: SamplePosition) -> SamplePosition {
            column < origin ? origin : ((column.since(origin) / hop + 1) * hop).after(origin)
        }
        return min(blockEnd(position), blockEnd(position + span) - span)
    }

    /// Mean level of a bin over those of some blocks that have been made and are not silent.
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
