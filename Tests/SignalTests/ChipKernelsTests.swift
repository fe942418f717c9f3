import Glibc
import Signal
import Testing

/// Tests of the kernels of `kernels.h` that search for clusters of chips and their echoes, against the plain
/// loop.
@Suite struct ChipKernelsTests {
    private var random = RandomSamples(seed: 7)

    @Test(arguments: [(32, 50), (16, 1), (128, 0)]) mutating func knownChipsAreTakenOut(
        taps: Int, count: Int
    ) {
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

    /// There are whole groups of eight columns, and a rest.
    @Test(arguments: [0, 3, 8, 21]) mutating func polyphase(columns: Int) {
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

    /// Two stretches begin anywhere in a block; the kernel takes 32, 24 or 8 blocks at a time.
    @Test(arguments: [(0, 5), (16, 31), (37, 3)], [0, 8, 16, 24, 32, 40, 56])
    mutating func blocks(places: (a: Int, b: Int), blocks: Int) {
        let (a, b) = places
        let columns = blocks + 4
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

    @Test(arguments: [0, 1, 3, 5]) mutating func dopplerTails(pairs: Int) {
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

    @Test(
        arguments: [(0.1, 1), (1, 2), (1, 1), (50, 1)] as [(Float, Float)],
        [(12, 16), (1, 8), (0, 8), (12, 0)])
    mutating func tailPeak(level: (least: Float, mean: Float), size: (rows: Int, width: Int)) {
        let ((least, mean), (rows, width)) = (level, size)
        let x = random.floats(rows * width).map { 4 * $0 * $0 * 12 }
        var greatest = (value: least, row: -1, column: -1)
        for column in 0..<width {
            var tail: Float = 0
            for row in (0..<rows).reversed() {
                tail = 0.9 * tail + 0.3 * (x[row * width + column] - mean)
                if tail > greatest.value { greatest = (tail, row, column) }
            }
        }
        let found = Kernels.tailPeak(
            x, rows: rows, stride: width, width: width, mean: mean, decay: 0.9, gain: 0.3, over: least)
        #expect((found?.row ?? -1) == greatest.row)
        #expect((found?.column ?? -1) == greatest.column)
        #expect(abs((found?.value ?? least) - greatest.value) < 1e-4)
    }

    /// The faster decay takes the estimate through many powers of ten.
    @Test(
        arguments: [false, true], [(61, 16, 0.9), (61, 16, 0.2), (8, 8, 0.9), (1, 8, 0.9), (9, 128, 0.9)])
    mutating func rake(isBackward: Bool, size: (count: Int, taps: Int, decay: Float)) {
        let (count, taps, decay) = size
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
