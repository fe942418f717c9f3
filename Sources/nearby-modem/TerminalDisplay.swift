import Glibc
import Plotting

/// What standard output can show.
enum TerminalDisplay {
    static var plot: TerminalPlot { TerminalPlot(columnCount: columnCount, colours: colours) }

    /// 80 where there is no terminal, or one that does not know its width.
    private static var columnCount: Int {
        var size = winsize()
        guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Terminals that show more than 256 colours say so in COLORTERM.
    private static var colours: TerminalPlot.Colours {
        let word = getenv("COLORTERM").map { String(cString: $0) }
        return word == "truecolor" || word == "24bit" ? .trueColour : .palette256
    }
}
