/// A colour of a screen in sRGB, with eight bits for each component.
package struct Colour: Sendable, Hashable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Creates a colour from 0xRRGGBB.
    package init(_ code: UInt32) {
        self.init(
            red: UInt8(code >> 16 & 0xFF), green: UInt8(code >> 8 & 0xFF), blue: UInt8(code & 0xFF))
    }

    /// Returns this colour with `share`, 0 to 1, of another laid over it.
    package func mixed(with other: Colour, share: Double) -> Colour {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
            UInt8((Double(a) + (Double(b) - Double(a)) * min(1, max(0, share))).rounded())
        }
        return Colour(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}
