import Picture
import Testing

@testable import Plotting

@Suite struct PicturePlotTests {
    private func plot(_ frames: [FrameMark], sound: [Float] = [Float](repeating: 0, count: 96_000))
        -> RecordingPlot
    {
        RecordingPlot(title: "sound.wav", spectrogram: spectrogram(sound, rateHz: 48_000), frames: frames)
    }

    private func frame(_ seconds: ClosedRange<Double>, label: String = "cafe") -> FrameMark {
        FrameMark(seconds: seconds, bandHz: 18_500...20_000, label: label, details: ["cafe"])
    }

    /// Two seconds are 1196 pixels: a frame from 0.5 to 1.5 s begins 299 pixels after the left edge.
    @Test func theOutlineStandsAtItsTime() {
        let canvas = PicturePlot.draw(plot([frame(0.5...1.5)]))
        #expect(canvas.width == PicturePlot.width)
        let top = PicturePlot.titleHeight + 30
        let middle = top + PicturePlot.plotHeight * 11 / 24  // 19.25 kHz
        let lines = (PicturePlot.plotLeft..<PicturePlot.plotRight).filter {
            canvas[$0, middle] == Theme.frame
        }
        #expect(lines == [84 + 299, 84 + 300, 84 + 895, 84 + 896])
        let rows = (top..<top + PicturePlot.plotHeight).filter { canvas[700, $0] == Theme.frame }
        // 20 kHz is a third down, 18.5 kHz seven twelfths.
        #expect(rows == [top + 128, top + 129, top + 222, top + 223])
    }

    @Test func aToneIsInItsRow() throws {
        let canvas = PicturePlot.draw(plot([], sound: tone(hz: 19_500, seconds: 2, rateHz: 48_000)))
        let top = PicturePlot.titleHeight
        let rows = (top..<top + PicturePlot.plotHeight).map { y -> Int in
            let colour = canvas[700, y]
            return Int(colour.red) + Int(colour.green) + Int(colour.blue)
        }
        let brightest = try #require(rows.indices.filter { rows[$0] == rows.max() }.first)
        #expect((156...163).contains(brightest))
    }

    /// The picture keeps its size, however many frames there are and wherever they stand.
    @Test func manyFrames() {
        let frames = (0..<3000).map { frame(Double($0) * 0.01 - 5...Double($0) * 0.01 - 4) }
        let canvas = PicturePlot.draw(plot(frames))
        #expect(canvas.width == PicturePlot.width && canvas.height < 2000)
    }

    @Test func wordsOfAnyKind() {
        let long = String(repeating: "0123456789abcdef", count: 40)
        var mark = frame(1.9...5, label: long)
        mark.details = [long, "ü\u{1B}[2J\n", ""]
        var plot = plot([mark])
        plot.title = long
        #expect(PicturePlot.draw(plot).width == PicturePlot.width)
    }
}
