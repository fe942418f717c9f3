/// Order statistics without sorting.
package enum Selection {
    /// Returns the median of values, which stay unchanged: of an even count, the upper one.
    ///
    /// Shape: `[count]`, of one value or more; none may be NaN.
    package static func median(_ x: UnsafePointer<Float>, _ count: Int) -> Float {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: count) { copy in
            copy.baseAddress!.copy(from: x, count: count)
            return value(at: count / 2, of: copy.baseAddress!, count)
        }
    }

    /// Returns the value that would stand at `place` if all were sorted; rearranges `x`. Hoare's algorithm.
    ///
    /// Shape: `[count]`, place < count; no value may be NaN.
    package static func value(at place: Int, of x: UnsafeMutablePointer<Float>, _ count: Int) -> Float {
        var (low, high) = (0, count - 1)
        while low < high {
            let pivot = x[(low + high) / 2]
            var (i, j) = (low, high)
            while i <= j {
                while x[i] < pivot { i += 1 }
                while x[j] > pivot { j -= 1 }
                if i <= j {
                    (x[i], x[j]) = (x[j], x[i])
                    i += 1
                    j -= 1
                }
            }
            if place <= j { high = j } else if place >= i { low = i } else { break }
        }
        return x[place]
    }
}
