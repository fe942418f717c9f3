/// A decoder from tone metrics to the likeliest messages of a ``TrellisCode``, best first.
///
/// Echoes count at once for the tone that left them: if a survivor had to wait for them, one whose tones have
/// none would win. ``ToneMetrics/total(of:)`` then corrects the sums of tones that are sent repeatedly.
///
/// The decoder runs wrap-around Viterbi, two turns, then a serial list over the last one: every path found
/// proposes, at each step before its own divergence, the other predecessors of the state it passes. If the
/// likeliest path does not close, a second list holds the paths that pass its state half way and do close.
/// References: R. Shao, S. Lin and M. Fossorier, "Two decoding algorithms for tailbiting codes", IEEE Trans.
/// Commun. 51(10), 2003; N. Seshadri and C.-E. Sundberg, "List Viterbi decoding algorithms", IEEE Trans.
/// Commun. 42, 1994.
package struct TrellisListDecoder: Sendable {
    package struct Path: Sendable {
        /// The inputs of `bitsPerStep` bits each. `[count]`
        var inputs: [UInt8]
        /// The tones. `[count]`
        package var tones: [UInt8]
        /// The value of ``ToneMetrics/total(of:)`` for the tones.
        package var nats: Float
        /// The state half way if the path's ends do not meet, otherwise `nil`.
        var middleState: Int?

        /// Returns the bits of the path, first first. Shape: `[count · bitsPerStep]`.
        package func bits(bitsPerStep: Int) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: inputs.count * bitsPerStep) { bits, count in
                for input in inputs {
                    for shift in (0..<bitsPerStep).reversed() {
                        bits[count] = input >> UInt8(shift) & 1
                        count += 1
                    }
                }
            }
        }
    }

    /// The nats by which a path may be likelier than the first, whose ends need not meet.
    private static let slack: Float = 3
    /// The least margin as a share of the likeliest path's nats. Far over the noise nats are many, and a path
    /// whose ends do not meet may have more of them than the path that was sent.
    private static let marginShare: Float = 0.05

    package let code: TrellisCode
    private let longest: Int
    private var workspace: TrellisWorkspace

    /// - Parameter longest: the greatest number of steps of a message.
    package init(code: TrellisCode, longest: Int) {
        (self.code, self.longest) = (code, longest)
        workspace = TrellisWorkspace(code: code, longest: longest)
    }

    /// - Parameters:
    ///   - scrambler: the words XORed with the labels to give the tones, `[n]`.
    ///   - margin: the least number of nats that a path may lie below the best.
    ///   - listSize: returns the most paths of a list, given the nats that a path may have.
    package mutating func decode(
        _ soft: ToneMetrics, scrambler: [UInt8], margin: Float, listSize: (_ nats: Float) -> Int
    ) -> [Path] {
        precondition(soft.count <= longest && scrambler.count == soft.count)
        if !isKnownUniquelyReferenced(&workspace) {
            workspace = TrellisWorkspace(code: code, longest: longest)
        }
        let worth = soft.byTone
        workspace.run(worth, scrambler)
        let first = list(soft, worth, scrambler, listSize: 1, margin: margin)
        guard let likeliest = first.first else { return [] }
        // The nats as the trellis counted them, which for repeated tones are not quite the path's.
        let nats = likeliest.tones.indices.reduce(Float(0)) {
            $0 + worth[$1 * TrellisCode.labelCount + Int(likeliest.tones[$1])]
        }
        let share = TrellisListDecoder.marginShare * nats
        let listSize = listSize(nats + max(TrellisListDecoder.slack, share))
        guard listSize > 1 else { return first }
        let margin = max(margin, share)
        var paths = list(soft, worth, scrambler, listSize: listSize, margin: margin)
        if let middle = first[0].middleState {
            paths += closed(soft, scrambler, through: middle, listSize: listSize, margin: margin)
        }
        return paths.sorted { $0.nats > $1.nats }
    }

    /// Returns the likeliest paths that close among those that pass one state half way: from there round to
    /// there again.
    private func closed(
        _ soft: ToneMetrics, _ scrambler: [UInt8], through state: Int, listSize: Int, margin: Float
    ) -> [Path] {
        let half = soft.count / 2
        let rotated = soft.rotated(by: half)
        let worth = rotated.byTone
        let words = Array(scrambler[half...] + scrambler[..<half])
        workspace.run(worth, words, from: state)
        return list(rotated, worth, words, listSize: listSize, margin: margin, end: state).map { path in
            var path = path
            let back = soft.count - half
            path.inputs = Array(path.inputs[back...] + path.inputs[..<back])
            path.tones = Array(path.tones[back...] + path.tones[..<back])
            return path
        }
    }

    /// Another way into a state that a path passes, or an end state.
    private struct Alternative {
        var cost: Float
        /// The number of the path that it leaves; −1 for an end state.
        var parent: Int
        /// The step before which it goes another way: by predecessor `choice`, or, at the end, from state
        /// `choice`.
        var step: Int
        var choice: Int
    }

    /// Returns the states in which a path of `n` steps may end: those within the margin, or only `end`.
    private func endStates(after n: Int, margin: Float, end: Int?) -> CostHeap<Alternative> {
        var heap = CostHeap<Alternative>()
        if let end {
            heap.push(Alternative(cost: 0, parent: -1, step: n, choice: end), cost: 0)
            return heap
        }
        let ends = workspace.ends
        for x in 0..<code.stateCount where ends[x] > -margin {
            heap.push(Alternative(cost: -ends[x], parent: -1, step: n, choice: x), cost: -ends[x])
        }
        return heap
    }

    /// Lists paths in the order of their costs in the trellis, which are not quite their nats.
    ///
    /// - Parameter worth: the nats of each tone of each symbol that the workspace ran on.
    private func list(
        _ soft: ToneMetrics, _ worth: [Float], _ scrambler: [UInt8], listSize: Int, margin: Float,
        end: Int? = nil
    ) -> [Path] {
        let states = code.stateCount
        let n = soft.count
        let high = code.memoryBits - code.bitsPerStep
        let (metrics, choices) = (workspace.metrics, workspace.choices)
        var heap = endStates(after: n, margin: margin, end: end)
        var passed: [[Int32]] = []
        var found: [Path] = []
        var seen: Set<[UInt8]> = []
        while let next = heap.pop(), passed.count < 2 * listSize, found.count < listSize {
            var path: [Int32]
            if next.parent < 0 {
                path = [Int32](repeating: 0, count: n + 1)
                path[n] = Int32(next.choice)
            } else {
                path = passed[next.parent]
                path[next.step] = path[next.step + 1] >> Int32(code.bitsPerStep) | Int32(next.choice << high)
            }
            for i in stride(from: next.step - 1, through: 0, by: -1) {
                let x = Int(path[i + 1])
                path[i] = Int32(x >> code.bitsPerStep | Int(choices[i * states + x]) << high)
            }
            let inputs = (0..<n).map { UInt8(Int(path[$0 + 1]) & (code.branchCount - 1)) }
            if seen.insert(inputs).inserted {
                let tones = zip(code.labels(ofInputs: inputs), scrambler).map { $0 ^ $1 }
                found.append(
                    Path(
                        inputs: inputs, tones: tones, nats: soft.total(of: tones),
                        middleState: path[0] == path[n] ? nil : Int(path[n / 2])))
            }
            passed.append(path)
            for i in stride(from: next.step - 1, through: 0, by: -1) {
                let x = Int(path[i + 1])
                let word = code.inputLabels[x & (code.branchCount - 1)] ^ scrambler[i]
                func value(_ p: Int) -> Float {
                    let s = x >> code.bitsPerStep | p << high
                    let tone = Int(code.stateLabels[s] ^ word)
                    return metrics[i * states + s] + worth[i * TrellisCode.labelCount + tone]
                }
                let chosen = Int(choices[i * states + x])
                let best = value(chosen)
                for p in 0..<code.branchCount where p != chosen {
                    let cost = next.cost + best - value(p)
                    guard cost < margin else { continue }
                    heap.push(
                        Alternative(cost: cost, parent: passed.count - 1, step: i, choice: p), cost: cost)
                }
            }
        }
        return found
    }
}
