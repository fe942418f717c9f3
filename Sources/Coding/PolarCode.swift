/// A polar code of length 2^m: the positions that carry information, and the encoder.
///
/// Opposite: ``PolarListDecoder``. References: Arıkan, *Channel Polarization*, IEEE Trans. IT 55(7), 2009;
/// polarisation weight: He et al., *β-expansion*, GLOBECOM 2017.
package struct PolarCode: Sendable, Hashable {
    /// The number N = 2^m of coded bits.
    package let length: Int
    /// The positions of the info bits, increasing.
    package let infoPositions: [Int]

    /// The kind of a subtree of the decoder: of the leaves under one node.
    enum Node: UInt8 { case frozen, repetition, mixed }
    /// The tree from its root, node 1, down: node i has the children 2 i and 2 i + 1, and leaves come last.
    /// `[2 · length]`
    let nodes: [Node]

    package var levelCount: Int { length.trailingZeroBitCount }

    package init(length: Int, infoCount: Int) {
        precondition(length > 0 && length & (length - 1) == 0, "a polar code's length is a power of two")
        precondition((0...length).contains(infoCount), "no more info bits than coded bits")
        self.length = length
        let weights = PolarCode.polarisationWeights(length)
        let byReliability = (0..<length).sorted { (weights[$0], $0) > (weights[$1], $1) }
        infoPositions = byReliability.prefix(infoCount).sorted()
        nodes = PolarCode.classify(length: length, infoPositions: infoPositions)
    }

    /// Returns Σ bit_b(i) · 2^(b/4): greater is more reliable. Repeated products give the same powers on
    /// every machine.
    private static func polarisationWeights(_ length: Int) -> [Double] {
        let beta = (2.0).squareRoot().squareRoot()
        var power = 1.0
        var weights = [Double](repeating: 0, count: length)
        for b in 0..<length.trailingZeroBitCount {
            for i in 0..<length where i >> b & 1 == 1 { weights[i] += power }
            power *= beta
        }
        return weights
    }

    private static func classify(length: Int, infoPositions: [Int]) -> [Node] {
        // The info bits under each node, and whether its last leaf is one.
        var counts = [Int](repeating: 0, count: 2 * length)
        for position in infoPositions { counts[length + position] = 1 }
        var lastIsInfo = counts.map { $0 == 1 }
        for node in (1..<length).reversed() {
            counts[node] = counts[2 * node] + counts[2 * node + 1]
            lastIsInfo[node] = lastIsInfo[2 * node + 1]
        }
        return zip(counts, lastIsInfo).map { $0 == 0 ? .frozen : $0 == 1 && $1 ? .repetition : .mixed }
    }

    /// Computes x = u · F^⊗m. Shape: `[infoCount]` bits → `[length]` bits.
    package func encode(_ info: some Collection<UInt8>) -> [UInt8] {
        precondition(info.count == infoPositions.count, "one bit for each info position")
        var x = [UInt8](repeating: 0, count: length)
        for (position, bit) in zip(infoPositions, info) { x[position] = bit & 1 }
        PolarCode.transform(&x)
        return x
    }

    /// Applies the polar transform, which is its own inverse.
    static func transform(_ x: inout [UInt8]) {
        var half = 1
        while half < x.count {
            for block in stride(from: 0, to: x.count, by: 2 * half) {
                for j in block..<block + half { x[j] ^= x[j + half] }
            }
            half *= 2
        }
    }
}
