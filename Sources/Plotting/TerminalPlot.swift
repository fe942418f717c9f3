import Picture

/// A plot as lines of text: each character is two pixels, an upper half block in one colour on another.
package struct TerminalPlot: Sendable {
    package enum Colours: Sendable {
        case trueColour
        /// The cube and the greys of xterm.
        case palette256
    }

    private let columnCount: Int
    private let colours: Colours
    /// The number of lines of the spectrogram: 250 Hz each, 125 Hz a half.
    private static let lineCount = 24
    /// The width of the axis, such as "22.0 ┤".
    private static let axisWidth = 6

    /// Creates a plot; fewer than 24 columns are drawn as 24, more than 1000 as 1000.
    package init(columnCount: Int, colours: Colours) {
        self.columnCount = min(1000, max(24, columnCount))
        self.colours = colours
    }

    package func lines(_ plot: RecordingPlot) -> [String] {
        let width = columnCount - TerminalPlot.axisWidth
        let levels = plot.spectrogram.levels(
            width: width, height: 2 * TerminalPlot.lineCount, bandHz: RecordingPlot.bandHz)
        let scale = LevelScale(levels: levels)
        let pixels = levels.map { row in row.map { ColourMap.heat.colour(at: scale.share($0)) } }
        let picture = (0..<TerminalPlot.lineCount).map { line in
            frequencyLabel(line: line) + blocks(upper: pixels[2 * line], lower: pixels[2 * line + 1])
        }
        return [String(plot.title.prefix(columnCount))] + frameRow(plot, width: width) + picture
            + [timeAxis(plot, width: width), legend(scale)] + list(plot.frames)
    }

    private func frequencyLabel(line: Int) -> String {
        guard line % 4 == 0 else { return "     │" }
        let kilohertz = Int(RecordingPlot.bandHz.upperBound / 1000) - line / 4
        return "  \(kilohertz) ┤"
    }

    /// Returns the blocks with codes only where a colour changes.
    private func blocks(upper: [Colour], lower: [Colour]) -> String {
        var text = ""
        var last: (upper: Colour, lower: Colour)?
        for (upper, lower) in zip(upper, lower) {
            if last?.upper != upper { text += "\u{1B}[38;\(code(upper))m" }
            if last?.lower != lower { text += "\u{1B}[48;\(code(lower))m" }
            text += "▀"
            last = (upper, lower)
        }
        return text + "\u{1B}[0m"
    }

    private func code(_ colour: Colour) -> String {
        switch colours {
        case .trueColour: "2;\(colour.red);\(colour.green);\(colour.blue)"
        case .palette256: "5;\(TerminalPalette.nearest(colour))"
        }
    }

    /// Returns "├─1──┤" over each frame, or nothing if there is none.
    private func frameRow(_ plot: RecordingPlot, width: Int) -> [String] {
        guard !plot.frames.isEmpty else { return [] }
        var cells = [Character](repeating: " ", count: width)
        for (index, frame) in plot.frames.enumerated() {
            func column(_ seconds: Double) -> Int {
                Int(min(1, max(0, plot.share(seconds: seconds))) * Double(width - 1) + 0.5)
            }
            let (first, last) = (column(frame.seconds.lowerBound), column(frame.seconds.upperBound))
            for place in first...last { cells[place] = "─" }
            (cells[first], cells[last]) = first == last ? ("┬", "┬") : ("├", "┤")
            let number = Array("\(index + 1)")
            let middle = (first + last - number.count + 1) / 2
            guard middle > first, middle + number.count <= last else { continue }
            cells.replaceSubrange(middle..<middle + number.count, with: number)
        }
        return [String(repeating: " ", count: TerminalPlot.axisWidth) + String(cells)]
    }

    private func timeAxis(_ plot: RecordingPlot, width: Int) -> String {
        let range = plot.spectrogram.startSeconds...plot.spectrogram.endSeconds
        let ticks = AxisTicks(range, mostCount: max(2, width / 10))
        var cells = [Character](repeating: " ", count: columnCount)
        cells.replaceSubrange(0..<4, with: " kHz")
        for value in ticks.values {
            let label = Array("╵" + ticks.label(value))
            let place = TerminalPlot.axisWidth + Int(plot.share(seconds: value) * Double(width - 1) + 0.5)
            guard place + label.count + 2 <= columnCount, place >= 0 else { continue }
            cells.replaceSubrange(place..<place + label.count, with: label)
        }
        cells[columnCount - 1] = "s"
        return String(cells)
    }

    private func legend(_ scale: LevelScale) -> String {
        let ramp = (0..<16).map { ColourMap.heat.colour(at: Double($0) / 15) }
        let (floor, top) = (Int(scale.floorDecibels), Int(scale.topDecibels))
        return "      \(floor) \(blocks(upper: ramp, lower: ramp)) \(top) dBFS"
    }

    /// Returns one line for each frame that has details.
    private func list(_ frames: [FrameMark]) -> [String] {
        let described = frames.prefix { !$0.details.isEmpty }
        let lines = described.enumerated().map { index, frame in
            (["\(index + 1)"] + frame.details).joined(separator: "  ")
        }
        let hidden = frames.count - described.count
        return lines + (hidden > 0 ? ["and \(hidden) more"] : [])
    }
}
