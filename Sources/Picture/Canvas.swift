/// Pixels to draw on: row by row from the top left. Drawing outside is cut off.
package struct Canvas: Sendable {
    package let width: Int
    package let height: Int
    /// `[height · width]`
    package private(set) var pixels: [Colour]

    /// Precondition: at least one pixel.
    package init(width: Int, height: Int, background: Colour) {
        precondition(width > 0 && height > 0, "a canvas has at least one pixel")
        (self.width, self.height) = (width, height)
        pixels = [Colour](repeating: background, count: width * height)
    }

    /// Reads or writes a pixel. Outside of the canvas all is black, and writes are ignored.
    package subscript(x: Int, y: Int) -> Colour {
        get { contains(x, y) ? pixels[y * width + x] : Colour(0) }
        set { if contains(x, y) { pixels[y * width + x] = newValue } }
    }

    private func contains(_ x: Int, _ y: Int) -> Bool {
        (0..<width).contains(x) && (0..<height).contains(y)
    }

    /// - Parameter opacity: 0 leaves the pixels as they are, 1 covers them.
    package mutating func fill(_ box: Box, _ colour: Colour, opacity: Double = 1) {
        for y in max(0, box.top)..<max(0, min(height, box.bottom), box.top) {
            for x in max(0, box.left)..<max(0, min(width, box.right), box.left) {
                self[x, y] = self[x, y].mixed(with: colour, share: opacity)
            }
        }
    }

    /// Draws a frame of `thickness` pixels, within the box.
    package mutating func outline(_ box: Box, _ colour: Colour, thickness: Int = 1) {
        let inner = Box(
            left: box.left + thickness, top: box.top + thickness,
            right: box.right - thickness, bottom: box.bottom - thickness)
        fill(Box(left: box.left, top: box.top, right: box.right, bottom: inner.top), colour)
        fill(Box(left: box.left, top: inner.bottom, right: box.right, bottom: box.bottom), colour)
        fill(Box(left: box.left, top: inner.top, right: inner.left, bottom: inner.bottom), colour)
        fill(Box(left: inner.right, top: inner.top, right: box.right, bottom: inner.bottom), colour)
    }

    package enum Alignment: Sendable { case left, centre, right }

    /// Draws text at twice the size of ``BitmapFont``; `x` is where the text starts, has its middle or ends,
    /// `y` is its top.
    package mutating func text(
        _ text: String, x: Int, y: Int, _ colour: Colour, alignment: Alignment = .left
    ) {
        let width = Canvas.textWidth(text)
        var left =
            switch alignment {
            case .left: x
            case .centre: x - width / 2
            case .right: x - width
            }
        for scalar in text.unicodeScalars {
            glyph(scalar, x: left, y: y, colour)
            left += 2 * BitmapFont.advanceDots
        }
    }

    package static let textHeight = 2 * BitmapFont.heightDots

    package static func textWidth(_ text: String) -> Int {
        max(0, 2 * BitmapFont.advanceDots * text.unicodeScalars.count - 2)
    }

    /// Draws a letter doubled with rounded corners (A. Mazzoleni, "Scale2x", 2001): a dot's quarter takes the
    /// colour of the two neighbours it touches if those are alike and the opposite ones are not.
    private mutating func glyph(_ scalar: Unicode.Scalar, x: Int, y: Int, _ colour: Colour) {
        let font = BitmapFont.standard
        for row in 0..<BitmapFont.heightDots {
            for column in 0..<BitmapFont.advanceDots {
                func ink(_ dx: Int, _ dy: Int) -> Bool { font.hasInk(scalar, x: column + dx, y: row + dy) }
                for (dx, dy) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
                    let isCorner =
                        ink(dx, 0) == ink(0, dy) && ink(dx, 0) != ink(-dx, 0) && ink(0, dy) != ink(0, -dy)
                    guard isCorner ? ink(dx, 0) : ink(0, 0) else { continue }
                    self[x + 2 * column + (dx + 1) / 2, y + 2 * row + (dy + 1) / 2] = colour
                }
            }
        }
    }
}
