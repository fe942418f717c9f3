import Picture
import Testing

@Suite struct CanvasTests {
    private let paper = Colour(0xFFFFFF)
    private let ink = Colour(0)

    /// Everything drawn outside is cut off, empty and inverted boxes included.
    @Test func cutsOff() {
        var canvas = Canvas(width: 10, height: 10, background: paper)
        canvas.fill(Box(left: -5, top: -5, right: 2, bottom: 1), ink)
        canvas.fill(Box(left: 20, top: 20, right: 30, bottom: 30), ink)
        canvas.fill(Box(left: 8, top: 8, right: 3, bottom: 3), ink)
        canvas.outline(Box(left: 100, top: -100, right: -100, bottom: 100), ink, thickness: 3)
        canvas.text("beyond", x: 9, y: -40, ink)
        #expect(canvas.pixels.count { $0 == ink } == 2)
        #expect(canvas[0, 0] == ink && canvas[1, 0] == ink && canvas[10, 10] == Colour(0))
    }

    @Test func outlineIsHollow() {
        var canvas = Canvas(width: 10, height: 10, background: paper)
        canvas.outline(Box(left: 1, top: 2, right: 9, bottom: 8), ink, thickness: 2)
        #expect(canvas.pixels.count { $0 == ink } == 8 * 6 - 4 * 2)
        #expect(canvas[1, 2] == ink && canvas[8, 7] == ink)
        #expect(canvas[0, 2] == paper && canvas[4, 5] == paper && canvas[9, 7] == paper)
    }

    /// Text stands at its requested place.
    @Test(arguments: [(Canvas.Alignment.left, 40), (.centre, 29), (.right, 18)])
    func alignment(alignment: Canvas.Alignment, left: Int) throws {
        var canvas = Canvas(width: 80, height: 20, background: paper)
        canvas.text("HH", x: 40, y: 2, ink, alignment: alignment)
        let columns = (0..<80).filter { x in (0..<20).contains { canvas[x, $0] == ink } }
        #expect(columns.first == left && columns.last == left + Canvas.textWidth("HH") - 1)
    }
}
