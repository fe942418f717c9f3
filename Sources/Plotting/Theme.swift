import Picture

/// Colours of a picture.
enum Theme {
    static let background = Colour(0x15161C)
    static let panel = Colour(0x1D1F27)
    static let grid = Colour(0x3A3D49)
    static let ink = Colour(0xE6E7EC)
    static let faint = Colour(0x9A9DAA)
    /// Of frames: found nowhere in the colour map.
    static let frame = Colour(0x6FE7F2)
}
