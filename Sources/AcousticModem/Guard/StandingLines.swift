import Signal

/// Lines of the spectrum that have stood for seconds: the hum of a supply, the comb of a sensor's sweeps.
///
///     share │   ┃    ┃    ┃       median over time of each bin's share of its block's power:
///           │▂▁▂┃▂▁▂▁┃▂▁▂▁┃▂▁     what comes and goes, a frame's tones among it, does not move it
///           └──────────────────▶
///
/// The median follows by steps: up if a block has more, down if it has less. For exponentially distributed
/// powers it strays by a fifth.
struct StandingLines: Sendable {
    /// The step of a median, once it has settled: it takes 22 blocks, 2.3 s at 2400 Hz, to treble.
    private static let leastStep: Float = 0.05
    /// The number of blocks that lines must stand: more than a frame fills.
    private static let leastBlocks = 12
    private static let bounds: ClosedRange<Float> = 1e-3...1e3

    private let blockCount: Int
    private var medians: [Float]
    private var step: Float = 0.5
    private var followed = 0

    /// - Parameter blockCount: the number of bins in a block, a multiple of 64.
    init(blockCount: Int) {
        self.blockCount = blockCount
        medians = [Float](repeating: 0.69, count: blockCount)
    }

    /// Takes a block's powers, `[blockCount]`. Digital silence is ignored.
    mutating func follow(_ powers: UnsafePointer<Float>) {
        let total = Kernels.sum(powers, blockCount)
        guard total > 0, total.isFinite else { return }
        Kernels.step(
            medians: &medians, towards: powers, scale: Float(blockCount) / total, up: 1 + step,
            down: 1 / (1 + step), within: StandingLines.bounds, blockCount)
        followed = min(followed + 1, StandingLines.leastBlocks)
        step = max(StandingLines.leastStep, step / (1 + step))
    }

    /// Raises `shares`, `[blockCount]`, to the share of each bin's amplitude that is to be taken out, unless
    /// it is higher already: lines are weighted as the noise they are. Returns true if any line stands.
    func raise(_ shares: UnsafeMutablePointer<Float>) -> Bool {
        guard followed == StandingLines.leastBlocks else { return false }
        let width = ToneBound.stretch
        var stands = false
        medians.withUnsafeBufferPointer { medians in
            let suspects = Kernels.stretches(
                medians.baseAddress!, blockCount,
                above: Thresholds.guards.suspectLineRatio / Float(width - 1))
            for stretch in suspects {
                let first = stretch * width
                let level = level(medians, about: first)
                for bin in first..<first + width where medians[bin] > Thresholds.guards.lineRatio * level {
                    shares[bin] = max(shares[bin], 1 - level / medians[bin])
                    stands = true
                }
            }
        }
        return stands
    }

    /// Returns the lower quartile of a stretch and of half a stretch on either side: half of the bins may be
    /// lines and their feet.
    private func level(_ medians: UnsafeBufferPointer<Float>, about first: Int) -> Float {
        let width = ToneBound.stretch
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * width) { near in
            for i in near.indices {
                near[i] = medians[(first - width / 2 + i + blockCount) % blockCount]
            }
            return Kernels.value(
                at: width / 2, of: near.baseAddress!, 2 * width, least: StandingLines.bounds.lowerBound)
        }
    }
}
