import Picture

/// The colours of a picture.
enum Theme {
    static let background = Colour(0x15161C)
    static let panel = Colour(0x1D1F27)
    static let grid = Colour(0x3A3D49)
    static let ink = Colour(0xE6E7EC)
    static let faint = Colour(0x9A9DAA)
    /// The colour of frames, found nowhere in the colour map.
    static let frame = Colour(0x6FE7F2)
    /// The colours of devices, in the order they are named; further devices begin again.
    static let devices = [Colour(0xF2B84B), Colour(0x6FE7F2), Colour(0xD79BFF), Colour(0x8FE388)]
    /// The colour of losses, and of frames whose sender is not known.
    static let loss = Colour(0xFF5D5D)

    static func device(_ index: Int) -> Colour { devices[index % devices.count] }
}
