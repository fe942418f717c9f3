/// Elementwise loops, eight lanes at a time. `KernelsTests` holds each to the plain loop.
///
/// `a += b * c`, never `addProduct`: without FMA in the target that calls the C library for every lane.
public enum Kernels {
    /// Σ x[i].
    @inlinable public static func sum(_ x: UnsafePointer<Float>, _ count: Int) -> Float {
        var total = SIMD8<Float>(repeating: 0)
        var i = 0
        while i + 8 <= count {
            total += UnsafeRawPointer(x + i).loadUnaligned(as: SIMD8<Float>.self)
            i += 8
        }
        var sum = total.sum()
        while i < count {
            sum += x[i]
            i += 1
        }
        return sum
    }

    /// y[i] += x[i].
    @inlinable public static func add(
        _ x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        var i = 0
        while i + 8 <= count {
            let sum =
                UnsafeRawPointer(y + i).loadUnaligned(as: SIMD8<Float>.self)
                + UnsafeRawPointer(x + i).loadUnaligned(as: SIMD8<Float>.self)
            UnsafeMutableRawPointer(y + i).storeBytes(of: sum, as: SIMD8<Float>.self)
            i += 8
        }
        while i < count {
            y[i] += x[i]
            i += 1
        }
    }

    /// Σ x[i] y[i].
    @inlinable public static func dot(_ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ count: Int)
        -> Float
    {
        var total = SIMD8<Float>(repeating: 0)
        var i = 0
        while i + 8 <= count {
            total +=
                UnsafeRawPointer(x + i).loadUnaligned(as: SIMD8<Float>.self)
                * UnsafeRawPointer(y + i).loadUnaligned(as: SIMD8<Float>.self)
            i += 8
        }
        var sum = total.sum()
        while i < count {
            sum += x[i] * y[i]
            i += 1
        }
        return sum
    }
}
