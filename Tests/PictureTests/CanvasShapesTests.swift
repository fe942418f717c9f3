import Picture
import Testing

/// Tests that shapes with soft edges have as much ink as area.
@Suite struct CanvasShapesTests {
    private let white = Colour(0xFFFFFF)

    private func ink(_ draw: (inout Canvas) -> Void) -> Double {
        var canvas = Canvas(width: 100, height: 100, background: Colour(0))
        draw(&canvas)
        return canvas.pixels.reduce(0) { $0 + Double($1.red) / 255 }
    }

    @Test func areas() {
        let disc = ink { $0.disc(at: [50, 50], radius: 20, white) }
        #expect(abs(disc / (Double.pi * 400) - 1) < 0.01)
        let ring = ink { $0.ring(at: [50, 50], radius: 20, white) }
        #expect(abs(ring / (2 * Double.pi * 20 * 2) - 1) < 0.02)
        let line = ink { $0.line(from: [20, 20], to: [80, 60], white, thickness: 3) }
        let length = (60.0 * 60 + 40 * 40).squareRoot()
        #expect(abs(line / (3 * length + Double.pi * 2.25) - 1) < 0.02)
    }

    /// Everything outside is cut off.
    @Test func outside() {
        #expect(ink { $0.disc(at: [-50, 50], radius: 20, white) } == 0)
        #expect(ink { $0.line(from: [-500, -20], to: [700, -20], white) } == 0)
        let half = ink { $0.disc(at: [0, 50], radius: 20, white) }
        #expect(abs(half / (Double.pi * 200) - 1) < 0.02)
    }
}
