import Glibc
import Signal
import Testing

@testable import AcousticModem

@Suite struct ToneFloorTests {
    private static let binCount = 200

    /// Returns the floor of eight seconds of noise of mean 1, to which `more` adds energy in a bin and a row.
    private func floor(adding more: (_ bin: Int, _ row: Int) -> Float) -> [Float] {
        var random = SplitMix64(seed: 5)
        var floor = ToneFloor(binCount: ToneFloorTests.binCount)
        for row in 0..<184 {
            let energies = (0..<ToneFloorTests.binCount).map { bin in
                Float(-log(1 - random.nextUnit())) + more(bin, row)
            }
            energies.withUnsafeBufferPointer { floor.add($0.baseAddress!) }
        }
        return floor.noise()
    }

    /// The 46th least of 184 has a standard deviation of 13 % of itself, and the median over 65 bins or more
    /// of 2 %: 15 % is seven of those.
    @Test func ofNoiseItIsTheMean() {
        for energy in floor(adding: { _, _ in 0 }) { #expect(abs(energy - 1) < 0.15, "\(energy)") }
    }

    @Test func aSteadyToneIsNoise() {
        let noise = floor { bin, _ in bin == 40 ? 50 : 0 }
        #expect(noise[40] > 40)
        #expect(abs(noise[41] - 1) < 0.15)
    }

    /// Every tenth bin has a tone of a token that comes again every 36 symbols, and rings 2.6 dB less with
    /// each one.
    @Test func tonesThatRingFromFrameToFrameAreNot() {
        let noise = floor { bin, row in
            bin % 10 == 0 ? 1000 * pow(10, -0.26 * Float((row + bin) % 36)) : 0
        }
        for energy in noise { #expect(abs(energy - 1) < 0.15, "\(energy)") }
    }

    /// After eight seconds, the first estimate also serves the next three blocks of steps.
    @Test func isTakenAnewEveryFourthTime() {
        var floor = ToneFloor(binCount: ToneFloorTests.binCount)
        func add(_ energy: Float, _ rows: Int) {
            let row = [Float](repeating: energy, count: ToneFloorTests.binCount)
            for _ in 0..<rows { row.withUnsafeBufferPointer { floor.add($0.baseAddress!) } }
        }
        add(1, 100)
        let early = floor.noise()[0]
        add(2, 83)
        // There are not yet eight seconds: the estimate is new each time.
        #expect(floor.noise()[0] == early)
        add(1, 1)
        add(4, 138)
        // The estimate serves the second, third and fourth time; then 46 of 184 rows are less than 4.
        for _ in 0..<3 { #expect(floor.noise()[0] == early) }
        let later = floor.noise()[0]
        #expect(later == 4 * early)
        add(8, 184)
        for _ in 0..<3 { #expect(floor.noise()[0] == later) }
        #expect(floor.noise()[0] == 2 * later)
    }
}
