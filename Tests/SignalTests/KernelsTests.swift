import Glibc
import Signal
import Testing

/// Tests of each kernel against the plain loop, at lengths around the vector's.
@Suite struct KernelsTests {
    @Test(arguments: [0, 1, 7, 8, 9, 64, 101]) func matchThePlainLoop(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let x = (0..<count).map { _ in Float(random.nextUnit()) - 0.5 }
        let y = (0..<count).map { _ in Float(random.nextUnit()) - 0.5 }
        #expect(abs(Kernels.sum(x, count) - x.reduce(0, +)) < 1e-4)
        #expect(abs(Kernels.dot(x, y, count) - zip(x, y).reduce(0) { $0 + $1.0 * $1.1 }) < 1e-4)
    }

    /// Tests of `kernels.h`, each at lengths around its vector's.
    @Suite struct Compiled {
        private var random = RandomSamples(seed: 5)

        @Test(arguments: [0, 1, 7, 8, 9, 33]) mutating func complexValues(count: Int) {
            let (a, b) = (random.complexes(count), random.complexes(count))
            var product = [Complex](repeating: .zero, count: count)
            Kernels.multiply(a, b, count, into: &product)
            var total = b
            Kernels.multiplyAdd(a, b, count, into: &total)
            var powers = [Float](repeating: 0, count: count)
            let sum = Kernels.powers(a, count, into: &powers)
            for i in 0..<count {
                #expect((product[i] - a[i] * b[i]).power < 1e-12)
                #expect((total[i] - (b[i] + a[i] * b[i])).power < 1e-12)
                #expect(abs(powers[i] - a[i].power) < 1e-6)
            }
            #expect(abs(sum - a.reduce(0) { $0 + $1.power }) < 1e-5)
        }

        @Test(arguments: [0, 1, 15, 16, 17, 63, 64, 65, 70]) mutating func rows(count: Int) {
            let base = random.floats(200)
            let offsets = [0, 3, 50, 129]
            var sums = [Float](repeating: 0, count: count)
            offsets.withUnsafeBufferPointer { Kernels.sumRows(base, offsets: $0, count, into: &sums) }
            for i in 0..<count {
                #expect(abs(sums[i] - offsets.reduce(0) { $0 + base[$1 + i] }) < 1e-6)
            }
            Kernels.scale(&sums, by: 2, ceiling: 0.5, count)
            for i in 0..<count {
                #expect(abs(sums[i] - min(0.5, 2 * offsets.reduce(0) { $0 + base[$1 + i] })) < 1e-5)
            }
        }

        @Test(arguments: [0, 1, 7, 8, 9, 32, 101]) mutating func medians(count: Int) {
            let (before, values) = (random.floats(count).map(abs), random.floats(count).map(abs))
            var medians = before
            Kernels.step(
                medians: &medians, towards: values, scale: 1.5, up: 1.25, down: 0.75, within: 0.1...0.4, count
            )
            for (median, (old, value)) in zip(medians, zip(before, values)) {
                let moved = old * (value * 1.5 > old ? 1.25 : 0.75)
                #expect(median == min(max(moved, 0.1), 0.4))
            }
        }

        /// Sums are over rows that stand elsewhere, two to begin with and one that goes on; the best is kept.
        @Test(arguments: [0, 16, 96]) mutating func jointSums(count: Int) {
            let x = random.floats(4 * count)
            let (offsets, isFirst) = ([count, 2 * count, 3 * count], [1, 0, 1] as [UInt8])
            var best = [Float](repeating: 0, count: count)
            var which = [Int32](repeating: 0, count: count)
            offsets.withUnsafeBufferPointer {
                Kernels.jointSums(
                    x, offsets: $0, isFirst: isFirst, gain: 0.2, least: -0.5, best: &best, which: &which,
                    count)
            }
            for i in 0..<count {
                let first = x[i] + x[count + i]
                let sums = [first, first + x[2 * count + i], x[i] + x[3 * count + i]]
                var expected = (value: Float(-0.5), kind: 0)
                for (kind, sum) in sums.enumerated() where sum > max(expected.value, x[i] + 0.2) {
                    expected = (sum, kind)
                }
                #expect(best[i] == expected.value && Int(which[i]) == expected.kind)
            }
        }

        @Test(arguments: [(0, 9), (9, 0), (1, 1), (7, 7), (8, 8), (16, 24), (23, 9), (112, 148), (3, 5)])
        mutating func transposition(
            rowCount: Int, columns: Int
        ) {
            let (stride, outStride) = (columns + 3, rowCount + 1)
            let rows = random.floats(rowCount * stride)
            var out = [Float](repeating: 0, count: columns * outStride)
            Kernels.transpose(
                rows, rowCount: rowCount, stride: stride, columns: columns, into: &out, outStride: outStride)
            for row in 0..<rowCount {
                for column in 0..<columns {
                    #expect(out[column * outStride + row] == rows[row * stride + column])
                }
            }
        }

        /// The functions are right over their whole range; two units in the last place are 2.4 · 10⁻⁷.
        @Test func exponentialsAndLogarithms() {
            let x = (0..<4000).map { -90 + Float($0) * 0.0445 }
            var out = x
            Kernels.exponentials(x, atMost: 80, x.count, into: &out)
            for (x, value) in zip(x, out) {
                let exact = exp(Double(max(min(x, 80), -87)))
                #expect(abs(Double(value) / exact - 1) < 2.4e-7)
            }
            let powers = out
            Kernels.logarithms(powers, by: 0.5, plus: 1e-9, powers.count, into: &out)
            for (power, value) in zip(powers, out) {
                let exact = log(Double(0.5 * power + 1e-9))
                #expect(abs(Double(value) - exact) < 2.4e-7 * max(1, abs(exact)))
            }
        }

        @Test mutating func slidingLogarithms() {
            let (next, last) = (random.floats(24), random.floats(24))
            let before = random.floats(24)
            var (sums, out) = (before, before)
            Kernels.slideLogarithms(
                &sums, adding: next, dropping: last, share: 0.25, least: 0.125, 24, into: &out)
            for i in 0..<24 {
                #expect(abs(out[i] - log(0.25 * max(before[i], 0.125))) < 1e-6)
                #expect(abs(sums[i] - (before[i] + next[i] - last[i])) < 1e-6)
            }
        }

        @Test(arguments: [0, 1, 7, 8, 33]) mutating func scalingAndDifferences(count: Int) {
            let (z, gains, before) = (random.complexes(count), random.floats(count), random.complexes(count))
            var scaled = [Complex](repeating: Complex(9, 9), count: count + 1)
            Kernels.scale(z, by: gains, count, into: &scaled)
            var less = before
            Kernels.subtract(z, count, from: &less)
            let (x, y) = (random.floats(count), random.floats(count))
            var more = x
            Kernels.add(y, count, to: &more)
            #expect(scaled[count] == Complex(9, 9))
            for i in 0..<count {
                #expect(scaled[i] == z[i] * gains[i])
                #expect(less[i] == before[i] - z[i])
                #expect(more[i] == x[i] + y[i])
            }
        }

        @Test mutating func stretchesOverTheirOthers() {
            var x = random.floats(5 * Kernels.stretch).map { $0 + 0.5 }
            (x[3], x[Kernels.stretch + 31], x[4 * Kernels.stretch]) = (40, 40, 40)
            #expect(Array(Kernels.stretches(x, x.count, above: 0.9)) == [0, 1, 4])
            #expect(Array(Kernels.stretches(x, x.count, above: 30)) == [])
        }

        @Test(arguments: [0, 1, 3, 40], [0, 1, 2, 5, 16]) mutating func blockPowers(
            count: Int, samples: Int
        ) {
            let z = random.complexes(count * samples)
            var powers = [Float](repeating: -1, count: count + 1)
            Kernels.blockPowers(z, samples, count, into: &powers)
            #expect(powers[count] == -1)
            for block in 0..<count {
                let sum = z[block * samples..<(block + 1) * samples].reduce(0) { $0 + $1.power }
                #expect(abs(powers[block] - sum) <= 1e-6 * sum)
            }
        }

        @Test(arguments: [0, 1, 2, 3, 4, 7]) mutating func decimation(count: Int) {
            let (x, taps) = (random.floats(240 + 20 * count), random.floats(240))
            let (turnRe, turnIm) = (random.floats(40), random.floats(40))
            var out = [Complex](repeating: .zero, count: count + 1)
            Kernels.decimate(x, taps: taps, turnRe: turnRe, turnIm: turnIm, count, into: &out)
            #expect(out[count] == .zero)
            for m in 0..<count {
                var sum = Complex.zero
                for n in 0..<240 {
                    let turn = Complex(turnRe[n % 40], turnIm[n % 40])
                    sum += turn * (taps[n] * x[20 * m + n])
                }
                #expect((out[m] - sum).power < 1e-10)
            }
        }

        @Test(arguments: [0, 1, 31, 32, 33, 100]) mutating func searches(count: Int) {
            let x = random.floats(count)
            for first in [0, 1, count / 2] where first <= count {
                let expected = (first..<count).first { x[$0] > 0.4 } ?? count
                #expect(Kernels.firstAbove(0.4, x, in: first..<count) == expected)
            }
            let whole = random.floats((count / 8 + 1) * 8)
            #expect(Kernels.indexOfMaximum(whole, whole.count) == whole.firstIndex(of: whole.max()!))
        }

        @Test(arguments: [0, 1, 15, 16, 17, 200]) mutating func peaks(count: Int) {
            // The values are rounded, so that neighbours are often equal.
            let x = random.floats(count + 2).map { ($0 * 4).rounded() }
            for all in [false, true] {
                var places = [UInt16](repeating: 9, count: count + 1)
                let found = x.withUnsafeBufferPointer {
                    Kernels.peaksAbove(0.5, $0.baseAddress! + 1, count, all: all, into: &places)
                }
                let expected = (0..<count).filter {
                    x[$0 + 1] > 0.5 && (all || x[$0 + 1] >= x[$0] && x[$0 + 1] > x[$0 + 2])
                }
                #expect(places[..<found].map { Int($0) } == expected)
            }
        }

        @Test(arguments: [16, 32, 2176]) mutating func valueAtAPlace(count: Int) {
            let x = random.floats(count).map { ($0 * 1000).rounded().magnitude / 512 }
            let sorted = x.sorted()
            for place in [0, count / 5, count / 2, count - 1] {
                #expect(Kernels.value(at: place, of: x, count, least: 0) == sorted[place])
                #expect(Kernels.value(at: place, of: x, count, least: sorted[place]) == sorted[place])
            }
        }

        @Test(arguments: [0, 1, 2, 5], [16, 64]) mutating func downconversion(count: Int, taps: Int) {
            let (x, re, im) = (random.floats(100), random.floats(taps), random.floats(taps))
            var out = [Complex](repeating: .zero, count: count + 1)
            Kernels.downconvert(x, by: 7, tapsRe: re, tapsIm: im, taps, into: &out, count)
            for m in 0..<count {
                let sum = (0..<taps).reduce(Complex.zero) { $0 + Complex(re[$1], im[$1]) * x[7 * m + $1] }
                #expect((out[m] - sum).power < 1e-10)
            }
            #expect(out[count] == .zero)
        }

        @Test(arguments: [0, 16, 160]) mutating func counts(count: Int) {
            let x = random.floats(count)
            let below = Kernels.count(x, count, by: 2, below: 0.3)
            #expect(below == x.count { 2 * $0 < 0.3 })
        }

        /// Rows are separate or overlap; the search goes from below and from above, with values that come
        /// twice.
        @Test(arguments: [(1, 0), (2, 1), (9, 4), (184, 46), (129, 128)]) mutating func ranks(
            count: Int, rank: Int
        ) {
            let (columns, width) = (16, 24)
            let x = random.floats(count * width).map { ($0 * 40).rounded().magnitude / 8 }
            for stride in [1, width] {
                for guess in [0, 3, 100] as [Float] {
                    var values = [Float](repeating: guess, count: columns)
                    Kernels.ranks(
                        x, rowCount: count, stride: stride, columns: columns, rank: rank, into: &values)
                    for column in 0..<columns {
                        var rows = (0..<count).map { x[$0 * stride + column] }
                        #expect(values[column] == Selection.value(at: rank, of: &rows, count))
                    }
                }
            }
        }

        @Test(arguments: [0, 1, 8, 43]) mutating func turnedPowers(count: Int) {
            let (z, angles) = (random.complexes(count), random.floats(count))
            let turns = angles.map { Complex(cos($0), sin($0)) }
            var split = SplitComplex(z)
            var powers = [Float](repeating: 0, count: 9)
            Kernels.turnedPowers(&split, by: SplitComplex(turns), into: &powers)
            var turned = z
            for power in powers {
                #expect(abs(power - turned.reduce(Complex.zero, +).power) < 1e-3)
                for i in 0..<count { turned[i] *= turns[i] }
            }
        }

        @Test(arguments: [0, 1, 3, 4, 64, 67]) mutating func sumsAt(count: Int) {
            let table = random.floats(1024)
            let places = random.floats(count).map { UInt16($0.magnitude * 1000) }
            let expected = places.reduce(Float(0)) { $0 + table[Int($1)] }
            #expect(abs(Kernels.sum(of: table, at: places, count) - expected) < 1e-4)
        }
    }
}
