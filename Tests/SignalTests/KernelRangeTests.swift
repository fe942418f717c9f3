import Glibc
import Signal
import Testing

/// Tests of the kernels on values that no sound should have: nothing outside the arrays is read, and the
/// kernels' promises hold.
@Suite struct KernelRangeTests {
    private static let unusual: [Float] = [
        .nan, -.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0, -0.0,
        .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, .leastNormalMagnitude / 3,
        1e30, -1e30, 88, -88,
    ]

    @Test func exponentialsAreHeldToTheirRange() {
        let x = Self.unusual
        var out = x
        for greatest in [-100, 0, 80, 88, 1e30] as [Float] {
            Kernels.exponentials(x, atMost: greatest, x.count, into: &out)
            for (x, value) in zip(x, out) where !x.isNaN {
                let exact = exp(Double(max(min(x, greatest, 88), -87)))
                #expect(abs(Double(value) / exact - 1) < 2.4e-7)
            }
            #expect(out.allSatisfy { $0.isFinite && $0 > 0 })
        }
    }

    @Test func logarithmsAreFinite() {
        let x = Self.unusual
        var out = x
        Kernels.logarithms(x, by: 1, plus: 0, x.count, into: &out)
        #expect(out.allSatisfy { $0.isFinite })
        for (x, value) in zip(x, out) where x >= 0 && x < .leastNormalMagnitude {
            #expect((-88.1)...(-87) ~= value)
        }
        for (x, value) in zip(x, out) where x.isNormal && x > 0 {
            #expect(abs(value - log(x)) < 2.4e-7 * max(1, abs(log(x))))
        }
    }

    /// The order of bits is total: every search for a rank ends, whatever the rows contain.
    @Test func ranksEnd() {
        let x = Self.unusual
        var values = [Float](repeating: .nan, count: 16)
        for rank in x.indices {
            Kernels.ranks(
                x.flatMap { [Float](repeating: $0, count: 16) }, rowCount: x.count, stride: 16,
                columns: 16, rank: rank, into: &values)
            let order = x.map { Int32(bitPattern: $0.bitPattern) }.sorted()
            #expect(values.allSatisfy { Int32(bitPattern: $0.bitPattern) == order[rank] })
        }
    }

    /// A bound that is negative or not a number counts as 0; infinity is one of the values.
    @Test(arguments: [0, -0.0, -3, .nan, -.infinity] as [Float]) func valuesFromAnyBound(least: Float) {
        var x = (0..<32).map { Float($0 % 7) }
        x[5] = .infinity
        for place in [0, 20, 31] {
            #expect(Kernels.value(at: place, of: x, 32, least: least) == x.sorted()[place])
        }
    }

    @Test func valuesUnderTheirBound() {
        let x = [Float](repeating: 2, count: 16)
        #expect(Kernels.value(at: 3, of: x, 16, least: 5) == 5)
    }

    @Test func whatIsNoNumberIsNotAbove() {
        let x: [Float] =
            [0] + [.nan, 1, .nan, .infinity, -.infinity] + [Float](repeating: .nan, count: 60) + [0]
        x.withUnsafeBufferPointer { x in
            let (first, count) = (x.baseAddress! + 1, x.count - 2)
            #expect(Kernels.firstAbove(0.5, first, in: 0..<count) == 1)
            #expect(Kernels.firstAbove(0.5, first, in: 4..<count) == count)
            var places = [UInt16](repeating: 0, count: count + 1)
            // It may hide its neighbours.
            let found = Kernels.peaksAbove(0.5, first, count, all: true, into: &places)
            #expect(Set(places[..<found]).isSubset(of: [1, 3]))
            #expect(Kernels.peaksAbove(0.5, first, count, all: false, into: &places) == 0)
        }
    }

    /// There are as many peaks as places of 16 bits can name.
    @Test func everyPlaceIsAPeak() {
        let x = [Float](repeating: 1, count: 65_538)
        var places = [UInt16](repeating: 0, count: 65_537)
        let found = x.withUnsafeBufferPointer {
            Kernels.peaksAbove(0, $0.baseAddress! + 1, 65_536, all: true, into: &places)
        }
        #expect(found == 65_536 && places[..<found].elementsEqual(0...65_535))
    }

    @Test func whatIsNoNumberIsClipped() {
        var x = Self.unusual
        Kernels.scale(&x, by: 2, ceiling: 5, x.count)
        for (x, value) in zip(Self.unusual, x) { #expect(value == (2 * x < 5 ? 2 * x : 5)) }
    }

    @Test func greatestOfInfinities() {
        var x = [Float](repeating: -.infinity, count: 24)
        #expect(Kernels.maximum(x, 24) == -.infinity && Kernels.indexOfMaximum(x, 24) == 0)
        (x[9], x[20]) = (.infinity, .infinity)
        #expect(Kernels.maximum(x, 24) == .infinity && Kernels.indexOfMaximum(x, 24) == 9)
    }

    /// Powers of nearly zero are zero, and of too large values infinite: sums do not trap.
    @Test func powersOfAnything() {
        let z = Self.unusual.map { Complex($0, 0) }
        var powers = [Float](repeating: 0, count: z.count)
        _ = Kernels.powers(z, z.count, into: &powers)
        for (z, power) in zip(z, powers) { #expect(power == z.re * z.re || z.re.isNaN && power.isNaN) }
    }

    // MARK: Counts that would run over the arrays

    @Test func oddCountsTrap() async {
        await #expect(processExitsWith: .failure) {
            var out = [Float](repeating: 0, count: 9)
            Kernels.exponentials([Float](repeating: 0, count: 9), atMost: 1, 9, into: &out)
        }
        await #expect(processExitsWith: .failure) { _ = Kernels.maximum([], 0) }
        await #expect(processExitsWith: .failure) { _ = Kernels.dot([1], [1], -1) }
    }

    @Test func sharedPlacesTrap() async {
        await #expect(processExitsWith: .failure) {
            var x = [Float](repeating: 0, count: 16)
            x.withUnsafeMutableBufferPointer {
                let first = $0.baseAddress!
                Kernels.logarithms(first, by: 1, plus: 1, 8, into: first + 4)
            }
        }
    }

    @Test func placesBeyondTheSamplesTrap() async {
        await #expect(processExitsWith: .failure) {
            var out = [Complex](repeating: .zero, count: 4)
            Kernels.readFractional(
                [Complex](repeating: .zero, count: 20), 20, filters: [Float](repeating: 0, count: 32 * 24),
                position: 10, step: 1.6, 0..<4, into: &out)
        }
        await #expect(processExitsWith: .failure) {
            var energies = [Float](repeating: 0, count: 8)
            let parts = [Float](repeating: 0, count: 16 * 8)
            Kernels.blockEnergies(re: parts, im: parts, stride: 8, 5, blocks: 8, into: &energies)
        }
    }
}
