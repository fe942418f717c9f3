/// The Doppler hypotheses of acquisition: time scales half a tone apart and, where walkers are heard, one
/// hypothesis for all of theirs. Each stands for every lane: column `doppler · lanes + lane`.
struct DopplerHypotheses: Sendable {
    /// The time scale of each hypothesis; a walker's is 0.
    let timeScales: [Double]
    /// The index of the walker's hypothesis, the last one; `nil` if there is none.
    let walker: Int?

    var columnCount: Int { timeScales.count * FSKFrameLayout.laneCount }

    func isWalker(column: Int) -> Bool { column / FSKFrameLayout.laneCount == walker }

    func timeScale(column: Int) -> Double { timeScales[column / FSKFrameLayout.laneCount] }

    /// Returns the column that a candidate was found in. Precondition: it is no walker's.
    func column(_ candidate: FSKCandidate) -> Int {
        timeScales.firstIndex(of: candidate.timeScale)! * FSKFrameLayout.laneCount + candidate.lane
    }

    /// Returns the columns of the same lane and about the same Doppler; a walker's has no neighbours.
    func neighbours(_ column: Int, within reach: Int) -> StrideThrough<Int> {
        let lanes = FSKFrameLayout.laneCount
        let (doppler, lane) = column.quotientAndRemainder(dividingBy: lanes)
        let last = (walker ?? timeScales.count) - 1
        let near =
            doppler == walker ? doppler...doppler : max(0, doppler - reach)...min(last, doppler + reach)
        return stride(
            from: near.lowerBound * lanes + lane, through: near.upperBound * lanes + lane, by: lanes)
    }

    /// Returns true if no neighbour of a cell has a greater score; of equal scores the first one is the peak.
    ///
    /// - Parameter scores: `[columns][width]`, with `steps` beyond the cell on either side.
    func isPeak(
        _ scores: UnsafePointer<Float>, width: Int, column: Int, _ i: Int, steps: Int, dopplers: Int
    ) -> Bool {
        let score = scores[column * width + i]
        for other in neighbours(column, within: dopplers) {
            for j in i - steps...i + steps {
                let rival = scores[other * width + j]
                if rival > score || (rival == score && (other, j) < (column, i)) { return false }
            }
        }
        return true
    }
}
