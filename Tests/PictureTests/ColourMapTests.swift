import Foundation
import Picture
import Testing

@Suite struct ColourMapTests {
    /// Converts an 8-bit colour back to OKLab: the colour that a screen shows, not the one that was
    /// requested.
    private func lab(_ colour: Colour) -> SIMD3<Double> {
        func linear(_ value: UInt8) -> Double {
            let x = Double(value) / 255
            return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)
        }
        let (r, g, b) = (linear(colour.red), linear(colour.green), linear(colour.blue))
        let l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
        let m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
        let s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
        return SIMD3(
            0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)
    }

    /// Equal steps look equally far apart, and brighter is always more.
    @Test func isUniform() {
        let stops = stride(from: 0.0, through: 1, by: 1.0 / 16).map { lab(ColourMap.heat.colour(at: $0)) }
        let steps = zip(stops, stops.dropFirst()).map { a, b in ((a - b) * (a - b)).sum().squareRoot() }
        let mean = steps.reduce(0, +) / Double(steps.count)
        #expect(steps.allSatisfy { abs($0 / mean - 1) < 0.1 }, "\(steps)")
        #expect(zip(stops, stops.dropFirst()).allSatisfy { $0.x < $1.x })
    }

    @Test func ends() {
        let colours = ColourMap.heat.colours
        #expect(ColourMap.heat.colour(at: -3) == colours[0] && ColourMap.heat.colour(at: .nan) == colours[0])
        #expect(ColourMap.heat.colour(at: -.infinity) == colours[0])
        #expect(ColourMap.heat.colour(at: .infinity) == colours[255] && colours.count == 256)
    }
}
