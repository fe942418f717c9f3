import Glibc
import Plotting

/// The abilities of the terminal on standard output.
enum TerminalDisplay {
    static var plot: TerminalPlot { TerminalPlot(columnCount: columnCount, colours: colours) }

    /// The number of columns; 80 if there is no terminal, or if it does not know its width.
    private static var columnCount: Int {
        var size = winsize()
        guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The colours. Terminals that show more than 256 state it in COLORTERM.
    private static var colours: TerminalPlot.Colours {
        let word = getenv("COLORTERM").map { String(cString: $0) }
        return word == "truecolor" || word == "24bit" ? .trueColour : .palette256
    }
}
