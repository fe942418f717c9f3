import Signal
import Testing

/// Tests of narrow integers as floats: the values of the standard library's conversions.
@Suite struct FloatConversionTests {
    @Test func samplesAreExact() {
        for value in Int8.min...Int8.max { #expect(Float(value) == Float(exactly: value)) }
        #expect((Int16.min...Int16.max).allSatisfy { Float($0) == Float(exactly: $0) })
    }

    /// Beyond 2²⁴ the nearest float, of two the even one, as from a double, which holds the integer.
    @Test func largeIntegersAreRounded() {
        let edges: [Int32] = [1 << 24, 1 << 24 + 1, 1 << 24 + 3, .max, .max - 64, .min, .min + 65]
        for value in edges { #expect(Float(value) == Float(Double(value))) }
    }
}
