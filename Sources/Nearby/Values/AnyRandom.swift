/// A type-erased random number generator with value semantics: a copy continues independently. It holds a
/// closure and not an existential, which Embedded Swift supports only for classes.
package struct AnyRandom: RandomNumberGenerator, Sendable {
    /// Returns the next number and the generator of the numbers after it.
    private var step: @Sendable () -> (UInt64, AnyRandom)

    package init(_ base: some RandomNumberGenerator & Sendable) {
        step = {
            var next = base
            let number = next.next()
            return (number, AnyRandom(next))
        }
    }

    package mutating func next() -> UInt64 {
        let (number, after) = step()
        self = after
        return number
    }
}
