import Nearby

extension TokenKey {
    /// The keys of some days, each a permutation that anybody can invert.
    package static func test(days: ClosedRange<Int> = 0...2) -> [TokenKey] {
        days.map { day in
            let constant = UInt64(bitPattern: Int64(day)) &* 0x9E37_79B9_7F4A_7C15
            return TokenKey(
                day: day, seal: { mixed($0 ^ constant) }, open: { unmixed($0) ^ constant })
        }
    }

    // Odd factors: each has an inverse modulo 2⁶⁴.
    private static let factors: [UInt64] = [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB]

    private static func mixed(_ number: UInt64) -> UInt64 {
        factors.reduce(number) { ($0 ^ $0 >> 32) &* $1 }
    }

    private static func unmixed(_ number: UInt64) -> UInt64 {
        factors.reversed().reduce(number) { product, factor in
            // Newton's method doubles the number of correct bits, of which three are correct at first.
            let inverse = (0..<5).reduce(factor) { inverse, _ in inverse &* (2 &- factor &* inverse) }
            let sum = product &* inverse
            return sum ^ sum >> 32
        }
    }
}
