/// The inner loops of list decoding, eight lanes at a time. Partial sums are sign masks.
enum PolarKernels {
    private static let signMask: UInt32 = 0x8000_0000

    /// f(a, b) = sign(a) sign(b) min(|a|, |b|).
    static func f(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        var i = 0
        let sign = SIMD8<UInt32>(repeating: signMask)
        while i + 8 <= count {
            let x = load(a + i)
            let y = load(b + i)
            let xMagnitude = unsafeBitCast(x & ~sign, to: SIMD8<Float>.self)
            let yMagnitude = unsafeBitCast(y & ~sign, to: SIMD8<Float>.self)
            let smaller = xMagnitude.replacing(with: yMagnitude, where: yMagnitude .< xMagnitude)
            store(unsafeBitCast(smaller, to: SIMD8<UInt32>.self) | ((x ^ y) & sign), to: out + i)
            i += 8
        }
        while i < count {
            let magnitude = min(a[i].magnitude, b[i].magnitude)
            out[i] = (a[i] < 0) != (b[i] < 0) ? -magnitude : magnitude
            i += 1
        }
    }

    /// g(a, b, s) = b + (−1)^s a.
    static func g(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ sum: UnsafePointer<UInt32>,
        into out: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        var i = 0
        while i + 8 <= count {
            let mask = UnsafeRawPointer(sum + i).loadUnaligned(as: SIMD8<UInt32>.self)
            let turned = unsafeBitCast(load(a + i) ^ mask, to: SIMD8<Float>.self)
            let y = UnsafeRawPointer(b + i).loadUnaligned(as: SIMD8<Float>.self)
            store(unsafeBitCast(y + turned, to: SIMD8<UInt32>.self), to: out + i)
            i += 8
        }
        while i < count {
            out[i] = b[i] + (sum[i] == 0 ? a[i] : -a[i])
            i += 1
        }
    }

    /// Partial sums of a node from its children's: (left ⊕ right, right).
    static func combine(
        _ left: UnsafePointer<UInt32>, _ right: UnsafePointer<UInt32>,
        into out: UnsafeMutablePointer<UInt32>, _ half: Int
    ) {
        for i in 0..<half { out[i] = left[i] ^ right[i] }
        (out + half).update(from: right, count: half)
    }

    /// Path metric increments if all the node's bits are 0, or all 1: Σ max(0, ∓LLR).
    static func penalties(_ llr: UnsafePointer<Float>, _ count: Int) -> (zero: Float, one: Float) {
        var i = 0
        var sum = SIMD8<Float>(repeating: 0)
        var magnitude = SIMD8<Float>(repeating: 0)
        let sign = SIMD8<UInt32>(repeating: signMask)
        while i + 8 <= count {
            let x = load(llr + i)
            sum += unsafeBitCast(x, to: SIMD8<Float>.self)
            magnitude += unsafeBitCast(x & ~sign, to: SIMD8<Float>.self)
            i += 8
        }
        var total = sum.sum()
        var absolute = magnitude.sum()
        while i < count {
            total += llr[i]
            absolute += llr[i].magnitude
            i += 1
        }
        return ((absolute - total) / 2, (absolute + total) / 2)
    }

    /// The `rank`-th smallest of `count` values that are not negative, 1 the smallest. Up to 7 places after the last
    /// are overwritten. Floats that are not negative are ordered as their bit patterns: 31 halvings.
    static func smallest(_ rank: Int, of values: UnsafeMutablePointer<Float>, _ count: Int) -> Float {
        let padded = (count + 7) & ~7
        for i in count..<padded { values[i] = .infinity }
        if padded == 8 {  // few: one comparison with all for each
            let all = UnsafeRawPointer(values).loadUnaligned(as: SIMD8<Float>.self)
            var below = SIMD8<Int32>(repeating: 0)
            for i in 0..<8 {
                below &-= unsafeBitCast(SIMD8<Float>(repeating: values[i]) .<= all, to: SIMD8<Int32>.self)
            }
            // The least value with at least `rank` values up to it.
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

    private static func store(_ v: SIMD8<UInt32>, to p: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(p).storeBytes(of: v, as: SIMD8<UInt32>.self)
    }
}
