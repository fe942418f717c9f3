/// A colour of a screen in sRGB, with eight bits for each component.
public struct Colour: Sendable, Hashable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Creates a colour from 0xRRGGBB.
    public init(_ code: UInt32) {
        self.init(
            red: UInt8(code >> 16 & 0xFF), green: UInt8(code >> 8 & 0xFF), blue: UInt8(code & 0xFF))
    }

    /// Returns this colour with `share`, 0 to 1, of another laid over it.
    public func mixed(with other: Colour, share: Double) -> Colour {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
            UInt8((Double(a) + (Double(b) - Double(a)) * min(1, max(0, share))).rounded())
        }
        return Colour(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}
