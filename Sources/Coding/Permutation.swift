/// An interleaver: `order[i]` says which input element stands at output place `i`.
package struct Permutation: Sendable, Hashable {
    package let order: [Int]

    /// Fisher–Yates, from the last place down, `next() mod (i + 1)`: the waveform's definition.
    @inlinable
    package init(count: Int, using generator: inout some RandomNumberGenerator) {
        var order = Array(0..<count)
        for i in stride(from: count - 1, through: 1, by: -1) {
            let word: UInt64 = generator.next()
            order.swapAt(i, Int(word % UInt64(i + 1)))
        }
        self.order = order
    }
}
