import Glibc
import Signal
import Testing

/// Each kernel against the plain loop, at lengths about the vector's.
@Suite struct KernelsTests {
    @Test(arguments: [0, 1, 7, 8, 9, 64, 101]) func matchThePlainLoop(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let x = (0..<count).map { _ in Float(random.nextUnit()) - 0.5 }
        let y = (0..<count).map { _ in Float(random.nextUnit()) - 0.5 }
        #expect(abs(Kernels.sum(x, count) - x.reduce(0, +)) < 1e-4)
        #expect(abs(Kernels.dot(x, y, count) - zip(x, y).reduce(0) { $0 + $1.0 * $1.1 }) < 1e-4)
    }

    /// `kernels.h`, each at lengths about its vector's.
    @Suite struct Compiled {
        private var random = RandomSamples(seed: 5)

        @Test(arguments: [1, 7, 8, 33]) mutating func complexValues(count: Int) {
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

        @Test(arguments: [1, 15, 16, 17, 70]) mutating func rows(count: Int) {
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

        /// Sums over rows that stand elsewhere, two to begin with and one that goes on; the best is kept.
        @Test(arguments: [16, 96]) mutating func jointSums(count: Int) {
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

        @Test(arguments: [(8, 8), (16, 24), (23, 9), (112, 148), (3, 5)]) mutating func transposition(
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

        /// Over all that they are for; two units in the last place are 2.4 · 10⁻⁷.
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

        @Test mutating func decimation() {
            let (x, taps) = (random.floats(240 + 60), random.floats(240))
            let (turnRe, turnIm) = (random.floats(40), random.floats(40))
            var out = [Complex](repeating: .zero, count: 4)
            Kernels.decimate(x, taps: taps, turnRe: turnRe, turnIm: turnIm, 4, into: &out)
            for m in 0..<4 {
                let sum = (0..<240).reduce(Complex.zero) {
                    $0 + Complex(turnRe[$1 % 40], turnIm[$1 % 40]) * (taps[$1] * x[20 * m + $1])
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
            // Rounded: neighbours are often equal.
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

        @Test(arguments: [16, 2176]) mutating func valueAtAPlace(count: Int) {
            let x = random.floats(count).map { ($0 * 1000).rounded().magnitude / 512 }
            let sorted = x.sorted()
            for place in [0, count / 5, count / 2, count - 1] {
                #expect(Kernels.value(at: place, of: x, count, least: 0) == sorted[place])
                #expect(Kernels.value(at: place, of: x, count, least: sorted[place]) == sorted[place])
            }
        }

        @Test mutating func downconversion() {
            let (x, re, im) = (random.floats(100), random.floats(64), random.floats(64))
            var out = [Complex](repeating: .zero, count: 6)
            Kernels.downconvert(x, by: 7, tapsRe: re, tapsIm: im, 64, into: &out, 5)
            for m in 0..<5 {
                let sum = (0..<64).reduce(Complex.zero) { $0 + Complex(re[$1], im[$1]) * x[7 * m + $1] }
                #expect((out[m] - sum).power < 1e-10)
            }
            #expect(out[5] == .zero)
        }

        @Test mutating func knownChipsAreTakenOut() {
            let (taps, count) = (32, 50)
            let known = (0..<count).map { $0 % 3 == 0 ? random.floats(1)[0] : 0 }
            let (takenRe, takenIm) = (random.floats(taps), random.floats(taps))
            let before = (random.floats(count + taps), random.floats(count + taps))
            var (re, im) = before
            Kernels.takeOut(
                known: known, count, takenRe: takenRe, takenIm: takenIm, tapCount: taps, from: &re, &im)
            var (expectedRe, expectedIm) = before
            for i in 0..<count {
                for tap in 0..<taps {
                    expectedRe[i + tap] -= known[i] * takenRe[tap]
                    expectedIm[i + tap] -= known[i] * takenIm[tap]
                }
            }
            for i in re.indices {
                #expect(abs(re[i] - expectedRe[i]) < 1e-5 && abs(im[i] - expectedIm[i]) < 1e-5)
            }
        }

        @Test(arguments: [0, 16, 160]) mutating func counts(count: Int) {
            let x = random.floats(count)
            let below = Kernels.count(x, count, by: 2, below: 0.3)
            #expect(below == x.count { 2 * $0 < 0.3 })
        }

        /// Rows of their own, and overlapping ones; from below, from above, and with values that come twice.
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

        @Test(arguments: [1, 8, 43]) mutating func turnedPowers(count: Int) {
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

        @Test(arguments: [0, 1, 64, 67]) mutating func sumsAt(count: Int) {
            let table = random.floats(1024)
            let places = random.floats(count).map { UInt16($0.magnitude * 1000) }
            let expected = places.reduce(Float(0)) { $0 + table[Int($1)] }
            #expect(abs(Kernels.sum(of: table, at: places, count) - expected) < 1e-4)
        }

        /// Whole groups of eight columns, and what is left over.
        @Test(arguments: [3, 8, 21]) mutating func polyphase(columns: Int) {
            let z = random.complexes(16 * columns)
            let stride = columns + 2
            var (re, im) = (
                [Float](repeating: 9, count: 16 * stride), [Float](repeating: 9, count: 16 * stride)
            )
            Kernels.polyphase(z, columns: columns, re: &re, im: &im, stride: stride)
            for (i, value) in z.enumerated() {
                let place = i % 16 * stride + i / 16
                #expect(re[place] == value.re && im[place] == value.im)
            }
            #expect(re[columns] == 9 && im[columns] == 9)
        }

        /// Of two stretches that begin anywhere in a block.
        @Test(arguments: [(0, 5), (16, 31), (37, 3)]) mutating func blocks(a: Int, b: Int) {
            let (blocks, columns) = (16, 20)
            let (z, turn) = (random.complexes(16 * columns), Complex(0.6, -0.8))
            var (re, im) = (
                [Float](repeating: 0, count: 16 * columns), [Float](repeating: 0, count: 16 * columns)
            )
            Kernels.polyphase(z, columns: columns, re: &re, im: &im, stride: columns)
            var (productRe, productIm) = (
                [Float](repeating: 0, count: blocks), [Float](repeating: 0, count: blocks)
            )
            var energies = [Float](repeating: 1, count: blocks)
            Kernels.blockProducts(
                re: re, im: im, stride: columns, a, b, turn: turn, blocks: blocks, intoRe: &productRe,
                im: &productIm)
            Kernels.blockEnergies(re: re, im: im, stride: columns, a, blocks: blocks, into: &energies)
            for block in 0..<blocks {
                let places = stride(from: 16 * block, to: 16 * block + 16, by: 2)
                let product = places.reduce(Complex.zero) { $0 + z[$1 + a] * z[$1 + b].conjugate } * turn
                #expect((Complex(productRe[block], productIm[block]) - product).power < 1e-10)
                #expect(abs(energies[block] - places.reduce(1) { $0 + z[$1 + a].power }) < 1e-5)
            }
        }

        @Test(arguments: [1, 3, 5]) mutating func dopplerTails(pairs: Int) {
            let (products, turns) = (random.floats(10 * pairs), random.floats(16 * pairs))
            var peaks = [Float](repeating: 0, count: 5)
            var places = [UInt8](repeating: 0, count: 5)
            products.withUnsafeBufferPointer {
                Kernels.dopplerTails(
                    re: $0.baseAddress!, im: $0.baseAddress! + 5 * pairs, stride: 5, blocks: 5, pairs: pairs,
                    turns: turns, decay: 0.7, least: [Float](repeating: 0, count: 5), into: &peaks,
                    places: &places)
            }
            var tails = [Float](repeating: 0, count: 16)
            for block in (0..<5).reversed() {
                for step in 0..<16 {
                    let (turn, side): (Int, Float) = step < 8 ? (7 - step, -1) : (step - 8, 1)
                    tails[step] *= 0.7
                    for pair in 0..<pairs {
                        tails[step] += products[5 * pair + block] * turns[16 * pair + turn]
                        tails[step] -=
                            side * products[5 * (pairs + pair) + block] * turns[16 * pair + 8 + turn]
                    }
                }
                #expect(abs(peaks[block] - tails.max()!) < 1e-5)
                if peaks[block] > 0 { #expect(Int(places[block]) == tails.firstIndex(of: tails.max()!)) }
            }
        }

        @Test(arguments: [0.1, 1, 50] as [Float]) mutating func tailPeak(least: Float) {
            let (rows, width) = (12, 16)
            let x = random.floats(rows * width).map { 4 * $0 * $0 * 12 }
            var greatest = (value: least, row: -1, column: -1)
            for column in 0..<width {
                var tail: Float = 0
                for row in (0..<rows).reversed() {
                    tail = 0.9 * tail + 0.3 * (x[row * width + column] - 1)
                    if tail > greatest.value { greatest = (tail, row, column) }
                }
            }
            let found = Kernels.tailPeak(
                x, rows: rows, stride: width, width: width, decay: 0.9, gain: 0.3, over: least)
            #expect((found?.row ?? -1) == greatest.row)
            #expect((found?.column ?? -1) == greatest.column)
            #expect(abs((found?.value ?? least) - greatest.value) < 1e-4)
        }

        /// The faster decay takes the estimate through many powers of ten.
        @Test(arguments: [false, true], [0.9, 0.2] as [Float])
        mutating func rake(isBackward: Bool, decay: Float) {
            let (count, taps) = (61, 16)
            let y = random.complexes(count + taps - 1)
            let (known, energy, loads) = (
                random.floats(count).enumerated().map { $0.offset % 5 < 2 ? $0.element : 0 },
                random.floats(count).map(\.magnitude), random.floats(taps).map(\.magnitude)
            )
            let taken = random.complexes(taps)
            var soft = [Float](repeating: 0, count: count)
            Kernels.rake(
                y.map(\.re), y.map(\.im), known: known, energy: energy, loads: loads,
                takenRe: taken.map(\.re), takenIm: taken.map(\.im), tapCount: taps, count,
                isBackward: isBackward, decay: decay, into: &soft)
            var channel = [Complex](repeating: .zero, count: taps)
            var gains = [Float](repeating: 0, count: taps)
            for (step, i) in (isBackward ? Array((0..<count).reversed()) : Array(0..<count)).enumerated() {
                if step % 8 == 0 { gains = loads.map { $0 / (1 + $0 * energy[i]) } }
                var sum: Float = 0
                for tap in 0..<taps {
                    let whole = y[i + tap] + taken[tap] * known[i]
                    sum += gains[tap] * (channel[tap].conjugate * whole).re
                    channel[tap] = (channel[tap] + whole * known[i]) * decay
                }
                #expect(abs(soft[i] - sum) < 1e-5)
            }
        }
    }
}
