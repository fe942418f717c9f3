import Foundation
import Picture
import TestSupport
import Testing

@testable import Plotting

/// Tests the output to a terminal, byte for byte. `UPDATE_PLOT=1 Tools/test TerminalPlotTests`
/// writes it anew.
@Suite struct TerminalPlotTests {
    /// A plot that gets louder to the right and upwards, with one frame.
    private var plot: RecordingPlot {
        let powers = (0..<20).map { x in (0..<61).map { y in pow(10, Float(x + y) / 10 - 8) } }
        let grid = SpectrogramGrid(
            startSeconds: 0, endSeconds: 2, columnSeconds: 0.1, firstHz: 16_000, binHz: 100, powers: powers)
        let frame = FrameMark(
            seconds: 0.5...1.5, bandHz: 18_500...20_000, label: "cafe", details: ["0.500 s", "cafe"])
        return RecordingPlot(title: "sound.wav", spectrogram: grid, frames: [frame])
    }

    @Test(arguments: [("palette256", TerminalPlot.Colours.palette256), ("truecolour", .trueColour)])
    func isAsRecorded(name: String, colours: TerminalPlot.Colours) throws {
        let lines = TerminalPlot(columnCount: 40, colours: colours).lines(plot)
        let text = lines.joined(separator: "\n") + "\n"
        let path = Repository.path("Fixtures/plot/terminal_\(name).txt")
        if ProcessInfo.processInfo.environment["UPDATE_PLOT"] != nil {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    /// No line is wider than the terminal, except those that list frames.
    @Test(arguments: [-1, 0, 24, 80, 200, 5000]) func fits(columnCount: Int) {
        let lines = TerminalPlot(columnCount: columnCount, colours: .palette256).lines(plot)
        #expect(lines.count == 1 + 1 + 24 + 2 + 1)
        for line in lines.dropLast() {
            let shown = line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
            #expect(shown.count <= min(1000, max(24, columnCount)) || shown.hasSuffix("dBFS"))
        }
    }

    @Test(
        arguments: [
            (0x000000, 16), (0xFFFFFF, 231), (0xFF0000, 196), (0x0000FF, 21), (0x808080, 244), (0x5F87AF, 67),
        ] as [(UInt32, Int)])
    func paletteColours(code: UInt32, number: Int) {
        #expect(TerminalPalette.nearest(Colour(code)) == number)
    }
}
