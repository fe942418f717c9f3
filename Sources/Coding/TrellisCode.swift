/// A tail-biting trellis code whose branches carry tones, so that nothing is lost by splitting a tone into
/// bits.
///
///     state: the last `memoryBits` bits of the message    label: parities of masks over state and input
///
///     (state, w) ─ label = stateLabels[state] ⊕ inputLabels[w] ─▶ state' = (state · 2^u + w) mod states
///
/// The message begins in the state that its own end leaves behind, so that no tone is spent on the ends.
/// Reference: M. Ma and J. Wolf, "On tail biting convolutional codes", IEEE Trans. Commun. 34(2), 1986.
package struct TrellisCode: Sendable, Hashable {
    /// The bits of a label; there are 64 tones.
    package static let labelBitCount = 6
    package static let labelCount = 1 << labelBitCount

    /// The number of message bits in a step, 2 or 3.
    package let bitsPerStep: Int
    package let memoryBits: Int
    /// For each bit of the label, most significant last, the mask of the bits of state · 2^u + input whose
    /// parity it is.
    package let masks: [UInt32]
    /// `[stateCount]`, `[branchCount]`
    let stateLabels: [UInt8]
    let inputLabels: [UInt8]

    package var stateCount: Int { 1 << memoryBits }
    package var branchCount: Int { 1 << bitsPerStep }

    /// - Parameter masks: `[6]`, of `memoryBits + bitsPerStep` bits. The input part must have full rank, so
    ///   that the branches that leave a state differ.
    package init(bitsPerStep: Int, memoryBits: Int, masks: [UInt32]) {
        precondition((2...3).contains(bitsPerStep) && masks.count == TrellisCode.labelBitCount)
        precondition(memoryBits >= bitsPerStep, "a state remembers at least one step")
        (self.bitsPerStep, self.memoryBits, self.masks) = (bitsPerStep, memoryBits, masks)
        func label(_ word: UInt32) -> UInt8 {
            masks.enumerated().reduce(0) { $0 | UInt8(($1.element & word).nonzeroBitCount & 1) << $1.offset }
        }
        stateLabels = (0..<1 << memoryBits).map { label(UInt32($0) << UInt32(bitsPerStep)) }
        inputLabels = (0..<1 << bitsPerStep).map { label(UInt32($0)) }
        precondition(Set(inputLabels).count == 1 << bitsPerStep, "branches that leave a state must differ")
    }

    /// Encodes bits. Shape: `[n · bitsPerStep]` bits, first first → `[n]` labels.
    package func encode(_ bits: [UInt8]) -> [UInt8] {
        precondition(bits.count % bitsPerStep == 0, "whole steps only")
        let inputs = stride(from: 0, to: bits.count, by: bitsPerStep).map { first in
            bits[first..<first + bitsPerStep].reduce(0) { $0 << 1 | UInt8($1 & 1) }
        }
        return labels(ofInputs: inputs)
    }

    /// Returns the labels of inputs. Shape: `[n]` inputs → `[n]` labels.
    func labels(ofInputs inputs: [UInt8]) -> [UInt8] {
        var state = inputs.reduce(0) { next($0, $1) }
        return inputs.map { input in
            defer { state = next(state, input) }
            return stateLabels[state] ^ inputLabels[Int(input)]
        }
    }

    private func next(_ state: Int, _ input: UInt8) -> Int {
        (state << bitsPerStep | Int(input)) & (stateCount - 1)
    }
}
