import Glibc

/// A map of 0 … 1 to colours from near black over violet and orange to pale yellow, which look equally far
/// apart.
///
/// It is a curve in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), where equal
/// distances look equal: lightness and hue grow linearly, chroma is a parabola that stays within the colours
/// of a screen. `ColourMapTests` checks that the distances of neighbours are within 10 % of each other.
package struct ColourMap: Sendable {
    package static let heat = ColourMap()

    /// `[256]`
    package let colours: [Colour]

    private init() {
        colours = (0..<256).map { ColourMap.colour(Double($0) / 255) }
    }

    /// Returns the colour of a value. Values beyond 0 … 1 get the colours of the ends; NaN gets the first.
    package func colour(at value: Double) -> Colour {
        value > 0 ? colours[Int((min(1, value) * 255).rounded())] : colours[0]
    }

    private static func colour(_ t: Double) -> Colour {
        let lightness = 0.15 + 0.80 * t
        let chroma = 0.055 + 0.42 * t - 0.385 * t * t
        let hue = (275 + 190 * t) * Double.pi / 180
        return sRGB(lightness: lightness, a: chroma * cos(hue), b: chroma * sin(hue))
    }

    /// Applies Ottosson's matrices from OKLab to linear light, then the curve of sRGB (IEC 61966-2-1).
    private static func sRGB(lightness: Double, a: Double, b: Double) -> Colour {
        func cube(_ x: Double) -> Double { x * x * x }
        let l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
        let m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
        let s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b)
        return Colour(
            red: encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            green: encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            blue: encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s))
    }

    private static func encoded(_ linear: Double) -> UInt8 {
        let x = min(1, max(0, linear))
        let value = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055
        return UInt8((255 * value).rounded())
    }
}
