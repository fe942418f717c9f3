/// A Reed–Solomon code of bytes, systematic and shortened: message first, then parity; the first byte is the
/// coefficient of the highest power. Generator (x − α⁰)(x − α¹) … over ``GF256``.
///
/// It corrects e errors and f erasures if 2 e + f ≤ parity count. Any input gives a codeword or `nil`, never
/// a trap.
///
/// Reference: R. E. Blahut, Algebraic Codes for Data Transmission, 2003, chapters 6 and 7.
package struct ReedSolomon: Sendable, Hashable {
    package let parityCount: Int
    /// The generator, lowest power first, the highest coefficient 1. `[parityCount + 1]`
    private let generator: [UInt8]

    /// The length of the longest codeword.
    package static let longest = 255

    /// - Parameter parityCount: 1 to 254.
    package init(parityCount: Int) {
        precondition((1..<ReedSolomon.longest).contains(parityCount), "1 to 254 parity bytes")
        self.parityCount = parityCount
        generator = (0..<parityCount).reduce([1]) { ReedSolomon.timesRoot($0, GF256.power($1)) }
    }

    /// Returns p(x) (x − root).
    private static func timesRoot(_ p: [UInt8], _ root: UInt8) -> [UInt8] {
        let low = p.map { GF256.product($0, root) } + [0]
        return zip(low, [0] + p).map { $0 ^ $1 }
    }

    /// Returns the parity of a message: the remainder of message · x^parityCount by the generator.
    /// `[parityCount]`
    ///
    /// - Parameter message: the message, which with its parity has at most ``longest`` bytes.
    package func parity(of message: [UInt8]) -> [UInt8] {
        precondition(message.count + parityCount <= ReedSolomon.longest, "longer than the code")
        var remainder = [UInt8](repeating: 0, count: parityCount)
        for byte in message {
            let factor = byte ^ remainder[0]
            for i in 0..<parityCount {
                let next = i + 1 < parityCount ? remainder[i + 1] : 0
                remainder[i] = next ^ GF256.product(factor, generator[parityCount - 1 - i])
            }
        }
        return remainder
    }

    /// Returns the codeword that differs from `word` in any of the erased places and in the fewest others, or
    /// `nil` if none is within reach.
    ///
    /// - Parameter erasures: the erased places in `word`; their values do not matter.
    package func decode(_ word: [UInt8], erasures: [Int] = []) -> [UInt8]? {
        guard (parityCount + 1...ReedSolomon.longest).contains(word.count), erasures.count <= parityCount,
            erasures.allSatisfy(word.indices.contains)
        else { return nil }
        let syndromes = syndromes(of: word)
        guard syndromes.contains(where: { $0 != 0 }) else { return word }
        // A place p has the locator α^(n − 1 − p).
        let erased = erasures.map { word.count - 1 - $0 }
        let locator = errorLocator(syndromes, erasureLocator: ReedSolomon.product(ofLocators: erased))
        guard let degree = locator.lastIndex(where: { $0 != 0 }), 2 * degree - erasures.count <= parityCount
        else { return nil }
        let roots = (0..<word.count).filter { GF256.value(of: locator, at: GF256.power(-$0)) == 0 }
        guard roots.count == degree else { return nil }
        let evaluator = evaluator(locator, syndromes)
        var corrected = word
        for exponent in roots {
            guard let value = ReedSolomon.errorValue(at: exponent, locator, evaluator) else { return nil }
            corrected[word.count - 1 - exponent] ^= value
        }
        return self.syndromes(of: corrected).allSatisfy { $0 == 0 } ? corrected : nil
    }

    /// Returns word(α^i), i < parityCount.
    private func syndromes(of word: [UInt8]) -> [UInt8] {
        (0..<parityCount).map { index in
            let root = GF256.powers[index]
            return word.reduce(0) { GF256.product($0, root) ^ $1 }
        }
    }

    /// Returns Π (1 − α^e x), lowest power first.
    private static func product(ofLocators exponents: [Int]) -> [UInt8] {
        exponents.reduce([1]) { product, exponent in
            let high = product.map { GF256.product($0, GF256.power(exponent)) }
            return zip(product + [0], [0] + high).map { $0 ^ $1 }
        }
    }

    /// Returns the shortest register of Berlekamp and Massey, begun with the erasures already in it.
    private func errorLocator(_ syndromes: [UInt8], erasureLocator: [UInt8]) -> [UInt8] {
        let erasureCount = erasureLocator.count - 1
        var locator = erasureLocator + [UInt8](repeating: 0, count: parityCount - erasureCount)
        var previous = locator
        var length = erasureCount
        for step in erasureCount..<parityCount {
            previous = [0] + previous.dropLast()
            var discrepancy: UInt8 = 0
            for i in 0...step { discrepancy ^= GF256.product(locator[i], syndromes[step - i]) }
            guard discrepancy != 0 else { continue }
            let corrected = zip(locator, previous).map { $0 ^ GF256.product(discrepancy, $1) }
            if 2 * length <= step + erasureCount {
                length = step + 1 + erasureCount - length
                previous = locator.map { GF256.quotient($0, discrepancy) }
            }
            locator = corrected
        }
        return locator
    }

    /// Returns Ω = S Λ mod x^parityCount, lowest power first.
    private func evaluator(_ locator: [UInt8], _ syndromes: [UInt8]) -> [UInt8] {
        (0..<parityCount).map { power in
            (0...power).reduce(0) { $0 ^ GF256.product(locator[$1], syndromes[power - $1]) }
        }
    }

    /// Returns X Ω(X⁻¹) / Λ′(X⁻¹), Forney's formula for a first root of α⁰; `nil` if Λ has a double root.
    private static func errorValue(at exponent: Int, _ locator: [UInt8], _ evaluator: [UInt8]) -> UInt8? {
        let inverse = GF256.power(-exponent)
        var derivative: UInt8 = 0  // of odd powers only: the others vanish
        for power in stride(from: 1, to: locator.count, by: 2) {
            derivative ^= GF256.product(locator[power], GF256.power(-exponent * (power - 1)))
        }
        guard derivative != 0 else { return nil }
        let numerator = GF256.value(of: evaluator, at: inverse)
        return GF256.product(GF256.power(exponent), GF256.quotient(numerator, derivative))
    }
}
