import Coding

/// The step from likelihoods to the most probable message. Opposite: ``GGWaveFrameEncoder``.
///
/// It checks the parity of a few hundred guesses at most: the least certain bytes erased, by twos
/// (generalised minimum distance, G. D. Forney, 1966), and the least certain nibbles replaced by their second
/// choice (D. Chase, 1972). The most probable of the codewords found counts, with this evidence:
///
///     Σ over all nibbles ln (16 p)  −  ln 256 for each byte of the message
///
/// This is ln of how much more probable the sound is under this message than under random nibbles, if all
/// 256^length messages are alike. A wrong message in clean sound lacks the evidence of the sound that it
/// leaves unexplained.
struct GGWaveFrameDecoder: Sendable {
    struct Message: Sendable {
        var bytes: [UInt8]
        var evidence: Float
        /// The evidence beyond that of the next codeword; infinite if there is no other.
        var margin: Float
    }

    let layout: GGWaveLayout

    /// The number of nibbles that are tried at their second choice.
    private static let variedCount = 4
    static let log16: Float = 2.7725887

    /// Returns the message in nibbles from the first of the layout on, or `nil` if the code finds none.
    func decode(_ likelihoods: GGWaveLikelihoods) -> Message? {
        let code = ReedSolomon(parityCount: layout.parityByteCount)
        let header = layout.headerByteCount
        let choices = (0..<2 * layout.codedByteCount).map { likelihoods.best(2 * header + $0) }
        let hard = bytes(choices.map { $0.value })
        let certainty = hard.indices.map { choices[2 * $0].logarithm + choices[2 * $0 + 1].logarithm }
        let weakest = hard.indices.sorted { certainty[$0] < certainty[$1] }
        var found: [[UInt8]: Float] = [:]
        func attempt(_ word: [UInt8], _ erasures: Int) {
            guard let codeword = code.decode(word, erasures: Array(weakest.prefix(erasures))),
                found[codeword] == nil
            else { return }
            found[codeword] = codeword.enumerated().reduce(0) {
                $0 + likelihoods.logarithm(of: $1.element, at: header + $1.offset)
            }
        }
        for erasures in stride(from: 0, through: layout.parityByteCount, by: 2) { attempt(hard, erasures) }
        for word in variants(of: hard, choices) {
            attempt(word, 0)
            if layout.parityByteCount >= 4 { attempt(word, layout.parityByteCount / 4 * 2) }
        }
        guard let (best, logarithm) = found.max(by: { $0.value < $1.value }) else { return nil }
        let next = found.filter { $0.key != best }.map { $0.value }.max()
        let free = GGWaveFrameDecoder.log16 * 2 * Float(layout.codedByteCount - layout.messageByteCount)
        return Message(
            bytes: Array(best[..<layout.messageByteCount]), evidence: logarithm + free,
            margin: next.map { logarithm - $0 } ?? .infinity)
    }

    /// Returns the variants with the least certain nibbles at their second choice: all combinations but the
    /// first.
    private func variants(
        of hard: [UInt8],
        _ choices: [(value: Int, logarithm: Float, next: Int, nextLogarithm: Float)]
    ) -> [[UInt8]] {
        let doubtful = choices.indices.sorted {
            choices[$0].logarithm - choices[$0].nextLogarithm < choices[$1].logarithm
                - choices[$1].nextLogarithm
        }.prefix(GGWaveFrameDecoder.variedCount)
        return (1..<1 << doubtful.count).map { mixture in
            var word = hard
            for (bit, nibble) in doubtful.enumerated() where mixture >> bit & 1 == 1 {
                let change = UInt8(choices[nibble].value ^ choices[nibble].next)
                word[nibble / 2] ^= nibble % 2 == 0 ? change : change << 4
            }
            return word
        }
    }

    private func bytes(_ nibbles: [Int]) -> [UInt8] {
        stride(from: 0, to: nibbles.count, by: 2).map { UInt8(nibbles[$0] | nibbles[$0 + 1] << 4) }
    }

    /// Returns the lengths whose evidence in the first three bytes exceeds `least`, the likeliest first.
    static func lengths(_ likelihoods: GGWaveLikelihoods, over least: Float) -> [(
        length: Int, evidence: Float
    )] {
        lengthHeaders.enumerated().map { index, header in
            let sum = header.enumerated().reduce(Float(0)) {
                $0 + likelihoods.logarithm(of: $1.element, at: $1.offset)
            }
            return (index + 1, sum + 6 * log16 - 4.94)  // ln 140 lengths
        }
        .filter { $0.evidence > least }.sorted { $0.evidence > $1.evidence }
    }

    private static let lengthHeaders = (1...140).map { GGWaveFrameEncoder.header(length: $0) }
}
