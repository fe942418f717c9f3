/// Any generator, as a value of one type: a copy goes on by itself. Made of a closure, and not of an existential, which Embedded Swift
/// has only of classes.
package struct AnyRandom: RandomNumberGenerator, Sendable {
    /// The next number, and what gives those after it.
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
