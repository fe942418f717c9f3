import CKernels

/// The inner loops of list decoding, eight lanes at a time. Partial sums are sign masks.
enum PolarKernels {
    /// Returns true if the compiled kernels can take `count` values; the loops beside them take any number.
    @inline(__always)
    private static func fillsVectors(_ count: Int) -> Bool { count >= 8 && count % 8 == 0 }

    /// Computes f(a, b) = 2 artanh(tanh(a/2) tanh(b/2)): the LLR of a ⊕ b. The usual sign(a) sign(b) min(|a|,
    /// |b|) weighs all pairs alike where both are small, and costs half a decibel there.
    static func f(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        if fillsVectors(count) { return nbk_polar_f(a, b, out, count) }
        for i in 0..<count { out[i] = f(a[i], b[i]) }
    }

    @inline(__always)
    private static func f(_ a: Float, _ b: Float) -> Float {
        let (sum, difference) = (a.magnitude + b.magnitude, (a.magnitude - b.magnitude).magnitude)
        let magnitude = max(0, min(a.magnitude, b.magnitude) + softness(sum) - softness(difference))
        return (a < 0) != (b < 0) ? -magnitude : magnitude
    }

    /// Returns ln(1 + e^−x) within 0.02, for x that are not negative.
    @inline(__always)
    private static func softness(_ x: Float) -> Float {
        let root = max(0, 0.91244 - 0.16455 * x)
        return (root * root) * (root * root)
    }

    /// Returns the cost of bit 0 for a path at an LLR: ln(1 + e^−x).
    @inline(__always)
    private static func cost(_ x: Float) -> Float { softness(x.magnitude) - min(x, 0) }

    /// Computes g(a, b, s) = b + (−1)^s a.
    static func g(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ sum: UnsafePointer<UInt32>,
        into out: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        if fillsVectors(count) { return nbk_polar_g(a, b, sum, out, count) }
        for i in 0..<count { out[i] = b[i] + (sum[i] == 0 ? a[i] : -a[i]) }
    }

    /// Computes g after a left half of zeros. Returns the cost of these zeros for the path.
    static func frozen(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>,
        _ count: Int
    ) -> Float {
        if fillsVectors(count) { return nbk_polar_frozen(a, b, out, count) }
        var penalty: Float = 0
        for i in 0..<count {
            penalty += cost(f(a[i], b[i]))
            out[i] = a[i] + b[i]
        }
        return penalty
    }

    /// Computes the partial sums of a node from its children's: (left ⊕ right, right).
    static func combine(
        _ left: UnsafePointer<UInt32>, _ right: UnsafePointer<UInt32>,
        into out: UnsafeMutablePointer<UInt32>, _ half: Int
    ) {
        for i in 0..<half { out[i] = left[i] ^ right[i] }
        (out + half).update(from: right, count: half)
    }

    /// Returns the path metric increments if all the node's bits are 0, or all 1: Σ ln(1 + e^∓LLR).
    static func penalties(_ llr: UnsafePointer<Float>, _ count: Int) -> (zero: Float, one: Float) {
        var (zero, one): (Float, Float) = (0, 0)
        if fillsVectors(count) {
            nbk_polar_penalties(llr, count, &zero, &one)
        } else {
            for i in 0..<count {
                zero += cost(llr[i])
                one += cost(-llr[i])
            }
        }
        return (zero, one)
    }

    /// Returns the `rank`-th smallest of `count` values that are not negative, 1 the smallest. Up to 7 places
    /// after the last are overwritten. Floats that are not negative have the order of their bit patterns: 31
    /// halvings.
    static func smallest(_ rank: Int, of values: UnsafeMutablePointer<Float>, _ count: Int) -> Float {
        let padded = (count + 7) & ~7
        for i in count..<padded { values[i] = .infinity }
        if padded == 8 {  // few: one comparison with all for each
            let all = UnsafeRawPointer(values).loadUnaligned(as: SIMD8<Float>.self)
            var below = SIMD8<Int32>(repeating: 0)
            for i in 0..<8 {
                below &-= unsafeBitCast(SIMD8<Float>(repeating: values[i]) .<= all, to: SIMD8<Int32>.self)
            }
            // This is the least value with at least `rank` values up to it.
            var least = Float.infinity
            for i in 0..<8 where Int(below[i]) >= rank && values[i] < least { least = values[i] }
            return least
        }
        var low: UInt32 = 0
        var high: UInt32 = 0x7F80_0000
        while low < high {
            let middle = (low + high) / 2
            let bound = SIMD8<UInt32>(repeating: middle)
            var below = SIMD8<UInt32>(repeating: 0)
            for i in stride(from: 0, to: padded, by: 8) {
                below &+= SIMD8<UInt32>(repeating: 0).replacing(with: 1, where: load(values + i) .<= bound)
            }
            if Int(below.wrappedSum()) >= rank { high = middle } else { low = middle + 1 }
        }
        return Float(bitPattern: low)
    }

    private static func load(_ p: UnsafePointer<Float>) -> SIMD8<UInt32> {
        UnsafeRawPointer(p).loadUnaligned(as: SIMD8<UInt32>.self)
    }

    /// Computes Σ ± soft bit, with + where the sign mask of `word` is set.
    static func correlation(
        _ word: UnsafePointer<UInt32>, _ soft: UnsafePointer<Float>, _ count: Int
    ) -> Float {
        var sums = SIMD8<Float>.zero
        let whole = count & ~7
        for i in stride(from: 0, to: whole, by: 8) {
            let signs = UnsafeRawPointer(word + i).loadUnaligned(as: SIMD8<UInt32>.self)
            let bits = UnsafeRawPointer(soft + i).loadUnaligned(as: SIMD8<UInt32>.self)
            sums += unsafeBitCast(bits ^ signs, to: SIMD8<Float>.self)
        }
        var sum = -sums.sum()
        for i in whole..<count { sum += word[i] == 0 ? -soft[i] : soft[i] }
        return sum
    }
}
