import Glibc
import Testing

@testable import Signal

@Suite struct DownconverterTests {
    /// A tone 500 Hz over the carrier becomes one at 500 Hz, of half its amplitude and its own phase at the
    /// output's time.
    @Test func aToneKeepsItsPhase() {
        var converter = Downconverter(carrierHz: 3515.625, cutoffHz: 2400, factor: 8)
        let samples = (0..<9600).map { Float(cos(2 * .pi * 4015.625 * Double($0) / 48_000)) }
        var output: [Complex] = []
        for first in stride(from: 0, to: samples.count, by: 700) {
            samples[first..<min(first + 700, samples.count)].withUnsafeBufferPointer {
                converter.process($0, into: &output)
            }
        }
        for m in 100..<1000 {
            let angle = 2 * Double.pi * 500 * (Double(8 * m) - 0.5) / 48_000
            #expect(abs(output[m].re - 0.5 * Float(cos(angle))) < 2e-3)
            #expect(abs(output[m].im - 0.5 * Float(sin(angle))) < 2e-3)
        }
    }

    @Test func whatIsOutOfTheBandIsGone() {
        var converter = Downconverter(carrierHz: 3515.625, cutoffHz: 2400, factor: 8)
        let samples = (0..<9600).map { Float(cos(2 * .pi * 12_000 * Double($0) / 48_000)) }
        var output: [Complex] = []
        samples.withUnsafeBufferPointer { converter.process($0, into: &output) }
        #expect(output[100...].allSatisfy { $0.power < 1e-7 })
    }
}

@Suite struct SelectionTests {
    @Test(arguments: [1, 2, 7, 64]) func findsWhatSortingWould(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let values = (0..<count).map { _ in Float(random.next() % 9) }
        for place in 0..<count {
            var x = values
            #expect(Selection.value(at: place, of: &x, count) == values.sorted()[place])
        }
    }
}
