import CKernels

/// The arrays of one trellis decoder, and the Viterbi recursion over them.
final class TrellisWorkspace: @unchecked Sendable {
    private static let turns = 2
    /// The nats of impossible states.
    private static let never: Float = -1e6

    private let code: TrellisCode
    private let longest: Int
    /// The path metrics after the last step, 0 the best. `[states]`
    private(set) var ends: UnsafeMutablePointer<Float>
    /// Values of the last turn: the metrics at the beginning of each step, then ``ends``, `[longest +
    /// 1][states]`; and the predecessor that each state chose, `[longest][states]`.
    let metrics: UnsafeMutablePointer<Float>
    let choices: UnsafeMutablePointer<UInt8>

    init(code: TrellisCode, longest: Int) {
        (self.code, self.longest) = (code, longest)
        let states = code.stateCount
        metrics = .allocate(capacity: states * (longest + 1))
        ends = metrics
        choices = .allocate(capacity: states * longest)
    }

    deinit {
        metrics.deallocate()
        choices.deallocate()
    }

    /// - Parameters:
    ///   - tones: the nats of each tone of each symbol. `[n][64]`
    ///   - start: the state to begin with, for one turn; `nil` to begin with any, for two turns.
    func run(_ tones: [Float], _ scrambler: [UInt8], from start: Int? = nil) {
        let states = code.stateCount
        precondition(
            scrambler.count <= longest && tones.count >= scrambler.count * TrellisCode.labelCount,
            "symbols that there is room for")
        let step = code.branchCount == 8 ? nbk_trellis_step8 : nbk_trellis_step4
        metrics.update(repeating: start == nil ? 0 : TrellisWorkspace.never, count: states)
        if let start { metrics[start] = 0 }
        ends = metrics + scrambler.count * states
        let turns = start == nil ? TrellisWorkspace.turns : 1
        for turn in 0..<turns {
            if turn > 0 { metrics.update(from: ends, count: states) }
            for i in scrambler.indices {
                let before = metrics + i * states
                let after = before + states
                let top = withRows(tones, i, words: code.inputLabels.map { $0 ^ scrambler[i] }) {
                    step(before, code.stateLabels, $0, states, after, choices + i * states)
                }
                for x in 0..<states { after[x] -= top }
            }
        }
    }

    /// Passes to `body` the nats of each label of each branch: `[64][branches]`.
    private func withRows<R>(
        _ tones: [Float], _ i: Int, words: [UInt8], _ body: (UnsafePointer<Float>) -> R
    ) -> R {
        withUnsafeTemporaryAllocation(
            of: Float.self, capacity: TrellisCode.labelCount * words.count
        ) { rows in
            for label in 0..<TrellisCode.labelCount {
                for w in words.indices {
                    rows[label * words.count + w] =
                        tones[i * TrellisCode.labelCount + (label ^ Int(words[w]))]
                }
            }
            return body(rows.baseAddress!)
        }
    }
}
