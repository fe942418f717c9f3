/// The arrays of one list decoder, and the recursion over its tree.
///
///     level m:      [ N LLRs ]                 the channel
///     level m−1:  [ N/2 ]  [ N/2 ]             f(a, b)  then  g(a, b, bits of the left half)
///     level 0:   one leaf each                 frozen, or a decision that splits every path
///
/// A node of level l reads its `2^l` LLRs and leaves its `2^l` partial sums, as left or right child of its
/// parent. Inside, LLR positive means 0 (the literature's convention), and a partial sum is a float's sign
/// mask: 0 for bit 0, 0x8000_0000 for bit 1, so that `g` is an exclusive-or and an addition.
final class PolarWorkspace: @unchecked Sendable {
    private let code: PolarCode
    /// A copy of the code's nodes in memory that is cheap to read.
    private let nodes: UnsafeMutablePointer<PolarCode.Node>
    private let capacity: Int
    private var listSize = 1
    private var activeCount = 1
    private var infoCount = 0
    /// The path indices, likeliest first, after a decoding.
    private(set) var ranking: [Int] = []

    private let llrs: PathPool<Float>
    private let leftSums: PathPool<UInt32>
    private let rightSums: PathPool<UInt32>
    private let metrics: UnsafeMutablePointer<Float>
    private let forks: UnsafeMutablePointer<Float>  // [2 · capacity]: metric of each path with bit 0, bit 1
    private let keeps: UnsafeMutablePointer<Bool>
    private let decided: UnsafeMutablePointer<UInt8>
    private let freePaths: UnsafeMutablePointer<Int>
    private let infos: UnsafeMutablePointer<UInt8>  // [capacity][infoPositions.count]

    init(code: PolarCode, largestList: Int) {
        self.code = code
        nodes = .allocate(capacity: code.nodes.count)
        nodes.initialize(from: code.nodes, count: code.nodes.count)
        capacity = largestList
        llrs = PathPool(levelCount: code.levelCount + 1, capacity: largestList)
        leftSums = PathPool(levelCount: code.levelCount + 1, capacity: largestList)
        rightSums = PathPool(levelCount: code.levelCount + 1, capacity: largestList)
        metrics = .allocate(capacity: capacity)
        forks = .allocate(capacity: 2 * capacity + 8)
        keeps = .allocate(capacity: 2 * capacity)
        decided = .allocate(capacity: capacity)
        freePaths = .allocate(capacity: 2 * capacity)
        infos = .allocate(capacity: max(1, capacity * code.infoPositions.count))
    }

    deinit {
        nodes.deallocate()
        metrics.deallocate()
        forks.deallocate()
        keeps.deallocate()
        decided.deallocate()
        freePaths.deallocate()
        infos.deallocate()
    }

    func decode(_ soft: UnsafePointer<SoftBit>, listSize: Int) {
        self.listSize = listSize
        activeCount = 1
        infoCount = 0
        metrics[0] = 0
        llrs.reset()
        leftSums.reset()
        rightSums.reset()
        let top = llrs.writable(level: code.levelCount, path: 0)
        for i in 0..<code.length { top[i] = -soft[i] }
        descend(level: code.levelCount, node: 1)
        ranking.removeAll(keepingCapacity: true)
        ranking += 0..<activeCount
        ranking.sort { metrics[$0] < metrics[$1] }
    }

    func info(path: Int) -> UnsafeBufferPointer<UInt8> {
        let count = code.infoPositions.count
        return UnsafeBufferPointer(start: infos + path * count, count: count)
    }

    func codeword(path: Int) -> [UInt8] {
        let word = leftSums.readable(level: code.levelCount, path: path)
        return (0..<code.length).map { UInt8(word[$0] >> 31) }
    }

    /// Returns Σ ± soft bit, with + where the path's coded bit is 1.
    func correlation(path: Int, with soft: UnsafePointer<SoftBit>) -> Float {
        PolarKernels.correlation(leftSums.readable(level: code.levelCount, path: path), soft, code.length)
    }

    /// Decodes the subtree, and leaves its partial sums in ``sums(of:)`` it.
    private func descend(level: Int, node: Int) {
        switch nodes[node] {
        case .frozen: decideFrozen(level, node)
        case .repetition: decideRepetition(level, node)
        case .mixed where nodes[2 * node] == .frozen:
            let half = 1 << (level - 1)
            for path in 0..<activeCount {
                let parent = llrs.readable(level: level, path: path)
                metrics[path] += PolarKernels.frozen(
                    parent, parent + half, into: llrs.writable(level: level - 1, path: path), half)
            }
            descend(level: level - 1, node: 2 * node + 1)
            for path in 0..<activeCount {
                let right = rightSums.readable(level: level - 1, path: path)
                let word = sums(of: node).writable(level: level, path: path)
                word.update(from: right, count: half)
                (word + half).update(from: right, count: half)
            }
        case .mixed:
            let half = 1 << (level - 1)
            for path in 0..<activeCount {
                let parent = llrs.readable(level: level, path: path)
                PolarKernels.f(parent, parent + half, into: llrs.writable(level: level - 1, path: path), half)
            }
            descend(level: level - 1, node: 2 * node)
            for path in 0..<activeCount {
                let parent = llrs.readable(level: level, path: path)
                let left = leftSums.readable(level: level - 1, path: path)
                PolarKernels.g(
                    parent, parent + half, left, into: llrs.writable(level: level - 1, path: path), half)
            }
            descend(level: level - 1, node: 2 * node + 1)
            for path in 0..<activeCount {
                let left = leftSums.readable(level: level - 1, path: path)
                let right = rightSums.readable(level: level - 1, path: path)
                PolarKernels.combine(
                    left, right, into: sums(of: node).writable(level: level, path: path), half)
            }
        }
    }

    /// Returns the pool where a node leaves its sums, as a left or a right child; the root counts as a left
    /// one.
    private func sums(of node: Int) -> PathPool<UInt32> { node & 1 == 0 || node == 1 ? leftSums : rightSums }

    private func decideFrozen(_ level: Int, _ node: Int) {
        let count = 1 << level
        for path in 0..<activeCount {
            metrics[path] += PolarKernels.penalties(llrs.readable(level: level, path: path), count).zero
            sums(of: node).writable(level: level, path: path).update(repeating: 0, count: count)
        }
    }

    private func decideRepetition(_ level: Int, _ node: Int) {
        let count = 1 << level
        for path in 0..<activeCount {
            let penalty = PolarKernels.penalties(llrs.readable(level: level, path: path), count)
            forks[2 * path] = metrics[path] + penalty.zero
            forks[2 * path + 1] = metrics[path] + penalty.one
        }
        fork()
        for path in 0..<activeCount {
            let mask: UInt32 = decided[path] == 1 ? 0x8000_0000 : 0
            sums(of: node).writable(level: level, path: path).update(repeating: mask, count: count)
        }
    }

    /// Splits every path in two by the next info bit and keeps the `listSize` best.
    private func fork() {
        let before = activeCount
        let after = min(2 * before, listSize)
        chooseSurvivors(forkCount: 2 * before, keepCount: after)
        var freeCount = 0
        for path in before..<max(before, after) {
            freePaths[freeCount] = path
            freeCount += 1
        }
        for path in 0..<before where !keeps[2 * path] && !keeps[2 * path + 1] {
            freePaths[freeCount] = path
            freeCount += 1
            leftSums.release(path: path)
            rightSums.release(path: path)
            llrs.release(path: path)
        }
        let stride = code.infoPositions.count
        for path in 0..<before {
            let zero = keeps[2 * path]
            let one = keeps[2 * path + 1]
            if zero && one {
                freeCount -= 1
                let twin = freePaths[freeCount]
                leftSums.share(from: path, to: twin)
                rightSums.share(from: path, to: twin)
                llrs.share(from: path, to: twin)
                (infos + twin * stride).update(from: infos + path * stride, count: infoCount)
                settle(twin, bit: 1, metric: forks[2 * path + 1])
            }
            if zero || one { settle(path, bit: zero ? 0 : 1, metric: forks[2 * path + (zero ? 0 : 1)]) }
        }
        activeCount = after
        infoCount += 1
    }

    private func settle(_ path: Int, bit: UInt8, metric: Float) {
        decided[path] = bit
        metrics[path] = metric
        infos[path * code.infoPositions.count + infoCount] = bit
    }

    private func chooseSurvivors(forkCount: Int, keepCount: Int) {
        guard forkCount > keepCount else {
            keeps.update(repeating: true, count: forkCount)
            return
        }
        let threshold = PolarKernels.smallest(keepCount, of: forks, forkCount)
        var kept = 0
        for i in 0..<forkCount {
            keeps[i] = forks[i] < threshold
            if keeps[i] { kept += 1 }
        }
        for i in 0..<forkCount where kept < keepCount && !keeps[i] && forks[i] == threshold {
            keeps[i] = true
            kept += 1
        }
    }
}
