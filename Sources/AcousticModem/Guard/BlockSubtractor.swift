import Glibc
import Signal

/// A finder of the sound that is to be taken out of a block.
package protocol BlockFinder: Sendable {
    /// The number of samples in a block, an even number.
    var blockCount: Int { get }
    /// Finds the sound to take out of a block, under ``BlockSubtractor/window(_:)``: `[blockCount]`, valid
    /// until the next call; `nil` if there is none. `block`: `[blockCount]`, without a window.
    mutating func find(in block: UnsafePointer<Complex>) -> UnsafePointer<Complex>?
    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout Self)
}

/// A filter that subtracts from a stream the sound that a finder finds in its blocks, which overlap by half
/// under a Hann window, whose halves add up to 1.
///
///     block 0   ╭───╮
///     block 1     ╭───╮         where nothing is found in any, the output is the input, sample for sample
///     block 2       ╭───╮
///
/// Shapes: in `[n]` → out `[≈ n]`, the same positions, a block later at most. Streaming.
package struct BlockSubtractor<Finder: BlockFinder>: Sendable {
    private var finder: Finder
    private var pending: [Complex]
    /// The values that the last block subtracts from the samples that it shares with the next one.
    private var tail: [Complex]
    private var isTailEmpty = true
    /// The number of samples that stand before the first.
    private var leadCount: Int

    private var hop: Int { finder.blockCount / 2 }
    /// The number of samples in a block.
    package var blockCount: Int { finder.blockCount }

    package init(_ finder: Finder) {
        self.finder = finder
        leadCount = finder.blockCount / 2
        pending = [Complex](repeating: .zero, count: finder.blockCount / 2)
        tail = pending
    }

    /// Returns Hann's window of a block.
    static func window(_ blockCount: Int) -> [Float] {
        let turn = 2 * Double.pi / Double(blockCount)
        return (0..<blockCount).map { Float(0.5 - 0.5 * cos(turn * Double($0))) }
    }

    /// See ``FamilyReceiver/exchangeScratch(with:)``.
    mutating func exchangeScratch(with other: inout BlockSubtractor) {
        finder.exchangeScratch(with: &other.finder)
    }

    package mutating func process(_ input: ArraySlice<Complex>, into output: inout [Complex]) {
        pending += input
        let hop = hop
        var used = 0
        while pending.count - used >= 2 * hop {
            let found = pending.withUnsafeBufferPointer { finder.find(in: $0.baseAddress! + used) }
            let ready = pending[used + leadCount..<used + hop]
            output += ready
            output.withUnsafeMutableBufferPointer {
                let fresh = $0.baseAddress! + $0.count - ready.count
                if !isTailEmpty { Kernels.subtract(tail, ready.count, from: fresh) }
                if let found { Kernels.subtract(found + leadCount, ready.count, from: fresh) }
            }
            if let found {
                tail.withUnsafeMutableBufferPointer { $0.baseAddress!.copy(from: found + hop, count: hop) }
            }
            isTailEmpty = found == nil
            leadCount = 0
            used += hop
        }
        if used > 0 { pending.removeFirst(used) }
    }
}
