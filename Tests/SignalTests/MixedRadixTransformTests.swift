import Testing

@testable import Signal

/// Tests of our own transform, whichever of the two ``FFT`` uses.
@Suite struct MixedRadixTransformTests {
    private func noise(_ count: Int) -> [Complex] {
        var generator = SplitMix64(seed: UInt64(count))
        return (0..<count).map { _ in
            Complex(Float(generator.nextUnit()) - 0.5, Float(generator.nextUnit()) - 0.5)
        }
    }

    /// The counts have every kind of pass (first fours, fours in vectors, twos, any prime) and the modem's
    /// sizes.
    private static let counts = [
        1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 30, 49, 64, 97, 128, 256, 360, 480, 512, 1024, 2048, 2080, 4096,
        6000,
    ]

    /// Returns the greatest difference over the greatest magnitude of two results.
    private func difference(_ a: [Complex], _ b: [Complex]) -> Float {
        let greatest = zip(a, b).map { ($0 - $1).power }.max() ?? 0
        return (greatest / (a.map(\.power).max() ?? 1)).squareRoot()
    }

    private func ours(_ x: [Complex], _ direction: TransformDirection, isInPlace: Bool) -> [Complex] {
        let transform = MixedRadixTransform(count: x.count)
        // The place is odd, because no alignment may be relied on.
        var room = [Complex](repeating: .zero, count: 2 * x.count + 1)
        return room.withUnsafeMutableBufferPointer { room in
            let (here, there) = (room.baseAddress! + 1, room.baseAddress! + 1 + x.count)
            for n in x.indices { here[n] = x[n] }
            if isInPlace {
                transform.execute(direction, here)
                return (0..<x.count).map { here[$0] }
            }
            transform.execute(direction, here, into: there)
            return (0..<x.count).map { there[$0] }
        }
    }

    /// The result equals the defining sum to 10⁻⁵ of the greatest bin.
    @Test(arguments: counts.filter { $0 <= 512 }) func matchesTheDefinition(count: Int) {
        let x = noise(count)
        let y = ours(x, .forward, isInPlace: false)
        let sums = (0..<count).map { k -> Complex in
            var sum = (re: 0.0, im: 0.0)
            for n in 0..<count {
                let root = rootOfUnity(-k * n, count)
                sum.re += Double(x[n].re) * root.re - Double(x[n].im) * root.im
                sum.im += Double(x[n].re) * root.im + Double(x[n].im) * root.re
            }
            return Complex(Float(sum.re), Float(sum.im))
        }
        #expect(difference(sums, y) < 1e-5)
    }

    @Test(arguments: counts) func inverseUndoesForward(count: Int) {
        let x = noise(count)
        for isInPlace in [true, false] {
            let back = ours(ours(x, .forward, isInPlace: isInPlace), .inverse, isInPlace: isInPlace)
            #expect(difference(x, back.map { $0 * (1 / Float(count)) }) < 1e-5)
        }
    }

    #if FFTW
        @Test(arguments: counts) func isWithinFloatPrecisionOfFFTW(count: Int) {
            let x = noise(count)
            var forward = x
            FFTWTransform(count: count).execute(.forward, &forward)
            var inverse = x
            FFTWTransform(count: count).execute(.inverse, &inverse)
            for isInPlace in [true, false] {
                #expect(difference(forward, ours(x, .forward, isInPlace: isInPlace)) < 2e-6)
                #expect(difference(inverse, ours(x, .inverse, isInPlace: isInPlace)) < 2e-6)
            }
        }

        /// Prints the time of our transform over FFTW's, at the modem's sizes; the best of twenty batches
        /// each.
        @Test(arguments: [512, 1024, 2048, 4096]) func howFastItIs(count: Int) {
            var (x, y) = (
                ScratchBuffer(count: count, repeating: Complex.zero),
                ScratchBuffer(count: count, repeating: Complex.zero)
            )
            let (from, to) = (x.claim(), y.claim())
            let (ours, fftw) = (MixedRadixTransform(count: count), FFTWTransform(count: count))
            func best(_ body: () -> Void) -> Duration {
                (0..<20).map { _ in ContinuousClock().measure { for _ in 0..<200 { body() } } }.min() ?? .zero
            }
            let mine = best { ours.execute(.forward, from, into: to) }
            let theirs = best { fftw.execute(.forward, from, into: to) }
            print("transform of \(count): \(mine / 200) ours, \(theirs / 200) FFTW, ratio \(mine / theirs)")
            #expect(mine < theirs * 10)
        }
    #endif

    /// Returns e^{j 2π k / n}; the sine is the cosine a quarter turn earlier.
    private func rootOfUnity(_ k: Int, _ n: Int) -> (re: Double, im: Double) {
        let angle = 2 * Double.pi * Double(((k % n) + n) % n) / Double(n)
        return (cosine(angle), cosine(angle - .pi / 2))
    }

    /// Returns the cosine by a series, independently of the library's.
    private func cosine(_ angle: Double) -> Double {
        let x = angle.remainder(dividingBy: 2 * .pi)
        var (sum, term) = (1.0, 1.0)
        for k in 1...16 {
            term *= -x * x / Double((2 * k - 1) * 2 * k)
            sum += term
        }
        return sum
    }
}
