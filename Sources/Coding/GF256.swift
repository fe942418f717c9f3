/// The field of 256 elements that Reed–Solomon codes of bytes are usually built on: x⁸ + x⁴ + x³ + x² + 1
/// (0x11D), in which α = 2 generates all elements but zero. Addition is exclusive or.
enum GF256 {
    /// α^i for i < 510, so that sums of two logarithms need no reduction. `[510]`
    static let powers: [UInt8] = {
        var powers: [UInt8] = []
        var element = 1
        for _ in 0..<510 {
            powers.append(UInt8(element))
            element <<= 1
            if element > 0xFF { element ^= 0x11D }
        }
        return powers
    }()

    /// The i < 255 with α^i = x; entry 0 is not used. `[256]`
    static let logarithms: [Int] = {
        var logarithms = [Int](repeating: 0, count: 256)
        for exponent in 0..<255 { logarithms[Int(powers[exponent])] = exponent }
        return logarithms
    }()

    static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        guard a != 0, b != 0 else { return 0 }
        return powers[logarithms[Int(a)] + logarithms[Int(b)]]
    }

    /// Returns a / b; b ≠ 0.
    static func quotient(_ a: UInt8, _ b: UInt8) -> UInt8 {
        guard a != 0 else { return 0 }
        return powers[logarithms[Int(a)] + 255 - logarithms[Int(b)]]
    }

    /// Returns α^exponent, of either sign.
    static func power(_ exponent: Int) -> UInt8 {
        let reduced = exponent % 255
        return powers[reduced < 0 ? reduced + 255 : reduced]
    }

    /// Returns Σ coefficients[i] x^i.
    static func value(of coefficients: [UInt8], at x: UInt8) -> UInt8 {
        coefficients.reversed().reduce(0) { product($0, x) ^ $1 }
    }
}
