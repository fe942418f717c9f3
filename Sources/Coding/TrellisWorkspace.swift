import CKernels

/// The arrays of one trellis decoder, and the Viterbi recursion over them.
///
/// Each path's echo evidence is its own: a survivor knows its last two tones, so what they left in this symbol's window
/// counts for it.
final class TrellisWorkspace: @unchecked Sendable {
    private static let turns = 2
    /// Stands for no tone.
    private static let noTone = UInt8(TrellisCode.labelCount)

    private let code: TrellisCode
    /// Path metrics after the last step, 0 the best. `[states]`
    private(set) var ends: UnsafeMutablePointer<Float>
    private var spare: UnsafeMutablePointer<Float>
    /// `ends` with what the echoes say of each state's last tones.
    private let entry: UnsafeMutablePointer<Float>
    /// Of the last turn: what each step began with, which predecessor each state chose, and the tone before it.
    /// `[longest][states]`
    let metrics: UnsafeMutablePointer<Float>
    let choices: UnsafeMutablePointer<UInt8>
    let lastTones: UnsafeMutablePointer<UInt8>
    /// The tones before each state, the latest and the one before it, and room for the next step's. `[4][states]`
    private let memory: UnsafeMutablePointer<UInt8>

    init(code: TrellisCode, longest: Int) {
        self.code = code
        let states = code.stateCount
        ends = .allocate(capacity: states)
        spare = .allocate(capacity: states)
        entry = .allocate(capacity: states)
        metrics = .allocate(capacity: states * longest)
        choices = .allocate(capacity: states * longest)
        lastTones = .allocate(capacity: states * longest)
        memory = .allocate(capacity: 4 * states)
    }

    deinit {
        ends.deallocate()
        spare.deallocate()
        entry.deallocate()
        metrics.deallocate()
        choices.deallocate()
        lastTones.deallocate()
        memory.deallocate()
    }

    func run(_ soft: ToneMetrics, _ scrambler: [UInt8]) {
        let states = code.stateCount
        ends.update(repeating: 0, count: states)
        memory.update(repeating: TrellisWorkspace.noTone, count: 4 * states)
        for step in 0..<TrellisWorkspace.turns * soft.count {
            let i = step % soft.count
            let top =
                soft.hasEchoes
                ? echoStep(soft, i, scrambler[i], isFirst: step == 0) : plainStep(soft, i, scrambler[i])
            for x in 0..<states { spare[x] -= top }
            swap(&ends, &spare)
        }
    }

    /// What each label of each branch is worth: `[64][branches]`.
    private func withRows<R>(
        _ soft: ToneMetrics, _ i: Int, words: [UInt8], _ body: (UnsafePointer<Float>) -> R
    ) -> R {
        withUnsafeTemporaryAllocation(
            of: Float.self, capacity: TrellisCode.labelCount * words.count
        ) { rows in
            for label in 0..<TrellisCode.labelCount {
                for w in words.indices {
                    rows[label * words.count + w] =
                        soft.own[i * TrellisCode.labelCount + (label ^ Int(words[w]))]
                }
            }
            return body(rows.baseAddress!)
        }
    }

    private func plainStep(_ soft: ToneMetrics, _ i: Int, _ scrambler: UInt8) -> Float {
        let states = code.stateCount
        let step = code.branchCount == 8 ? nbk_trellis_step8 : nbk_trellis_step4
        (metrics + i * states).update(from: ends, count: states)
        return withRows(soft, i, words: code.inputLabels.map { $0 ^ scrambler }) {
            step(ends, code.stateLabels, $0, states, spare, choices + i * states)
        }
    }

    private func echoStep(_ soft: ToneMetrics, _ i: Int, _ scrambler: UInt8, isFirst: Bool) -> Float {
        let states = code.stateCount
        let labels = TrellisCode.labelCount
        let row = i * labels
        let (last, last2) = (memory, memory + states)
        let (newLast, newLast2) = (memory + 2 * states, memory + 3 * states)
        for s in 0..<states {
            let (b, c) = (Int(last[s]), Int(last2[s]))
            var value = ends[s]
            if b < labels { value += soft.echo1[row + b] }
            if c < labels && c != b { value += soft.echo2[row + c] }
            entry[s] = value
            if isFirst { last[s] = 0 }  // any tone: it repeats nothing, as `repeats` is 0
        }
        (metrics + i * states).update(from: entry, count: states)
        (lastTones + i * states).update(from: last, count: states)
        let words = code.inputLabels.map { $0 ^ scrambler }
        let repeats = (0..<labels).map { a in
            isFirst ? 0 : soft.again[row + a] - soft.own[row + a] - soft.echo1[row + a]
        }
        let top = withRows(soft, i, words: words) {
            nbk_trellis_echo_step(
                entry, code.stateLabels, $0, words, last, repeats, states, code.branchCount, spare,
                choices + i * states, newLast)
        }
        let high = code.memoryBits - code.bitsPerStep
        for x in 0..<states {
            newLast2[x] =
                isFirst
                ? TrellisWorkspace.noTone
                : last[x >> code.bitsPerStep | Int(choices[i * states + x]) << high]
        }
        memory.update(from: newLast, count: 2 * states)
        return top
    }
}
