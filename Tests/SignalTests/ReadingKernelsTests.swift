import Glibc
import Signal
import Testing

/// Tests of the kernels of `kernels.h` that read, turn and gather samples, against the plain loop.
@Suite struct ReadingKernelsTests {
    private var random = RandomSamples(seed: 6)

    @Test(arguments: [0, 1, 8, 37]) mutating func insaneSamplesAreSilence(count: Int) {
        var x = random.floats(count)
        let special: [Float] = [
            .nan, .infinity, -.infinity, 17, -16.5, 16, -16, 0.001, -0.002, .leastNonzeroMagnitude,
        ]
        for (index, value) in special.enumerated() where index < count { x[index] = value }
        var out = [Float](repeating: 1, count: count)
        Kernels.copySane(x, count, within: 0.002...16, into: &out)
        #expect(out == x.map { (0.002...16).contains($0.magnitude) ? $0 : 0 })
    }

    /// Samples are rounded to the nearest. Exactly half way, the product may be rounded once or twice.
    @Test(arguments: [0, 1, 8, 37, 960]) mutating func quantization(count: Int) {
        var x = random.floats(count)
        let special: [Float] = [0, 1, -1, 0.5, -0.5, 2, -2, .infinity, -.infinity, .nan]
        for (index, value) in special.enumerated() where index < count { x[index] = value }
        for gain in [Float(1), 0.5, 0.25] {
            var out = [Int16](repeating: 1, count: count + 1)
            Kernels.quantize(x, by: gain, count, into: &out)
            #expect(out[count] == 1)
            for i in 0..<count {
                let level = x[i].isNaN ? -1 : max(-1, min(1, Double(x[i] * gain)))
                #expect(abs(Double(out[i]) - 32767 * level) <= 0.501, "\(x[i])")
            }
        }
    }

    @Test(arguments: [0, 1, 8, 37, 960]) mutating func largestMagnitude(count: Int) {
        var x = random.floats(count)
        func largest() -> Float { x.withUnsafeBufferPointer { Kernels.largestMagnitude($0) } }
        #expect(largest() == x.reduce(0) { max($0, $1.magnitude) })
        guard count > 0 else { return }
        for value in [-300, 1e30, -.infinity] as [Float] {
            x[count / 2] = value
            #expect(largest() == value.magnitude)
        }
        x[count - 1] = -.nan
        #expect(largest().isNaN)
    }

    @Test(arguments: [0, 1, 3, 4, 5, 3001]) mutating func rotation(count: Int) {
        let z = random.complexes(count)
        var turned = z
        Kernels.rotate(&turned, count, from: 0.3, by: -0.07)
        for i in 0..<count {
            let angle = 0.3 - 0.07 * Double(i)
            #expect((turned[i] - z[i] * Complex(Float(cos(angle)), Float(sin(angle)))).power < 1e-11)
        }
    }

    @Test(arguments: [0, 1, 3, 4, 5, 61]) mutating func turning(count: Int) {
        let z = random.complexes(count)
        let angles = (0..<count + 4).map { 0.11 * Double($0) }
        var turned = z
        Kernels.turn(
            &turned, count, by: (cos(0.3), sin(0.3)), turnsRe: angles.map { cos($0) },
            turnsIm: angles.map { sin($0) })
        for i in 0..<count {
            let angle = 0.3 + angles[i]
            #expect((turned[i] - z[i] * Complex(Float(cos(angle)), Float(sin(angle)))).power < 1e-11)
        }
    }

    @Test(arguments: [0.8, 1.6]) mutating func fractionalReading(step: Double) {
        let samples = random.complexes(120)
        let single = random.floats(32 * 12)
        let filters = single.flatMap { [$0, $0] }
        var out = [Complex](repeating: .zero, count: 50)
        Kernels.readFractional(
            samples, samples.count, filters: filters, position: 8.3, step: step, 3..<50, into: &out)
        #expect(out[..<3].allSatisfy { $0.power == 0 })
        for m in 3..<50 {
            let place = 8.3 + Double(m) * step
            let nearest = (place * 32).rounded(.toNearestOrAwayFromZero)
            let (whole, phase) = (Int(nearest) / 32, Int(nearest) % 32)
            let sum = (0..<12).reduce(Complex.zero) {
                $0 + samples[whole - 5 + $1] * single[phase * 12 + $1]
            }
            #expect((out[m] - sum).power < 1e-11)
        }
    }

    @Test(arguments: [0, 1, 5]) mutating func dotRows(count: Int) {
        let (rows, x) = (random.floats(count * 64), random.floats(64))
        var out = [Float](repeating: 9, count: count + 1)
        Kernels.dotRows(rows, count: count, x, into: &out)
        for r in 0..<count {
            #expect(abs(out[r] - (0..<64).reduce(0) { $0 + rows[64 * r + $1] * x[$1] }) < 1e-5)
        }
        #expect(out[count] == 9)
    }

    @Test(arguments: [8, 16, 40]) mutating func greatest(count: Int) {
        for _ in 0..<20 {
            let x = random.floats(count).map { $0 - 3 }
            #expect(Kernels.maximum(x, count) == x.max())
        }
    }

    @Test(arguments: [0, 1, 3, 4, 5, 12]) mutating func gatheredPower(count: Int) {
        let values = random.complexes(50)
        let offsets = (0..<count).map { 4 * $0 + 1 }
        let sum = Kernels.gatheredPower(values, offsets: offsets, count)
        #expect(abs(sum - offsets.reduce(0) { $0 + values[$1].power }) < 1e-5)
    }
}
