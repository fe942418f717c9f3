import Glibc
import Signal
import Testing

@testable import AcousticModem

@Suite struct RunningMedianTests {
    /// The median equals that of sorting: 3000 windows of 201 powers, over 200 octaves, some of them 0. A
    /// class is an eighth wide.
    @Test func isThatOfSortedPowers() {
        var random = SplitMix64(seed: 5)
        var median = RunningMedian()
        var window: [Float] = []
        for _ in 0..<3000 {
            let power = random.nextUnit() < 0.1 ? 0 : Float(exp2(200 * random.nextUnit() - 100))
            window.append(power)
            median.insert(power)
            if window.count > 201 { median.remove(window.removeFirst()) }
            let sorted = window.filter { $0 > 0 }.sorted()
            guard !sorted.isEmpty else {
                #expect(median.median() == 0)
                continue
            }
            let exact = sorted[sorted.count / 2]
            #expect(abs(median.median() / exact - 1) <= 0.063)
        }
    }

    @Test func silenceHasNone() {
        var median = RunningMedian()
        median.insert(0)
        #expect(median.median() == 0)
        median.insert(3)
        median.remove(3)
        #expect(median.median() == 0)
        for power in [1, 2, 300] as [Float] { median.insert(power) }
        median.removeAll()
        #expect(median.median() == 0)
        median.insert(8)
        #expect(abs(median.median() / 8 - 1) <= 0.063)
    }
}
