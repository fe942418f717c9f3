import Signal
import Testing

@testable import AcousticModem

/// Rows of ratios by kernel equal those computed one by one; a step of the table is 0.03.
@Test(arguments: [8, 96]) func rowsOfRatiosAreAsTheTableHasThem(count: Int) {
    let table = ToneTable(steady: 4, scattered: 0, greatest: 32)
    var random = SplitMix64(seed: UInt64(count))
    let row = (0..<count).map { _ in Float(40 * random.nextUnit()) }
    let gains = (0..<count).map { _ in Float(0.5 + random.nextUnit()) }
    var ratios = [Float](repeating: 0, count: count)
    var likelihoods = ratios
    table.lookUp(row, scale: 0.9, gains: gains, count, ratios: &ratios, likelihoods: &likelihoods)
    for i in 0..<count {
        let energy = row[i] * gains[i] * 0.9
        // A value between two places may go to either.
        let about = [energy - 0.001, energy, energy + 0.001].map { max(0, $0) }
        #expect(about.contains { table.ratio($0) == ratios[i] })
        #expect(about.contains { table.likelihood($0) == likelihoods[i] })
    }
}

/// Impossible energies give the ends of the table, by the kernel and one by one.
@Test func unusualEnergiesStandAtTheEnds() {
    let table = ToneTable(steady: 4, scattered: 0, greatest: 32)
    let row: [Float] = [.nan, .infinity, 1e30, 33, -1, -.infinity, -1e30, -.leastNonzeroMagnitude]
    var ratios = [Float](repeating: 0, count: 8)
    var likelihoods = ratios
    table.lookUp(
        row, scale: 1, gains: [Float](repeating: 1, count: 8), 8, ratios: &ratios, likelihoods: &likelihoods)
    for (i, energy) in row.enumerated() {
        let end: Float = i < 4 ? 32 : 0
        #expect(ratios[i] == table.ratio(end) && likelihoods[i] == table.likelihood(end))
        #expect(table.ratio(energy) == table.ratio(end))
    }
}
