/// The loops in which signals spend their time. Tests compare each with the plain loop.
///
/// Short loops are SIMD types, inlined: `a += b * c`, never `addProduct`, which without FMA in the target
/// calls the C library for every lane. Long loops are C, compiled for several instruction sets (`kernels.h`),
/// and check nothing: the functions here trap on counts that its vectors would run over, and on places that
/// overlap where they may not.
public enum Kernels {
    /// Traps unless `count` is a multiple of `step`, and `least` at least.
    @inlinable @inline(__always)
    public static func require(_ count: Int, multipleOf step: Int = 1, atLeast least: Int = 0) {
        precondition(count >= least && count % step == 0, "a count that fills the kernel's vectors")
    }

    /// Returns true if no value of `a` shares its place with one of `b`. `[count]` each
    static func areApart<Value>(
        _ a: UnsafePointer<Value>, _ b: UnsafeMutablePointer<Value>, _ count: Int
    ) -> Bool {
        a + count <= UnsafePointer(b) || UnsafePointer(b + count) <= a
    }

    /// Passes complex values to `body` as the pairs of floats that C sees.
    @inlinable public static func floats<Result>(
        _ z: UnsafePointer<Complex>, _ body: (UnsafePointer<Float>) -> Result
    ) -> Result {
        body(UnsafeRawPointer(z).assumingMemoryBound(to: Float.self))
    }

    @inlinable public static func floats<Result>(
        _ z: UnsafeMutablePointer<Complex>, _ body: (UnsafeMutablePointer<Float>) -> Result
    ) -> Result {
        body(UnsafeMutableRawPointer(z).assumingMemoryBound(to: Float.self))
    }
}
