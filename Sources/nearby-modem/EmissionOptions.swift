import ArgumentParser

/// The options for the sending of a frame.
struct EmissionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Lane, 0 to 3: one of four scramblings of a frame. Use different lanes for transmitters that overlap.",
            valueName: "n"))
    var lane = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Peak level, -90 to 0. (default: -6)", valueName: "dbfs"))
    var level: Double?

    /// The peak level if there is no programme, in dBFS.
    var peakDBFS: Double { level ?? -6 }

    func validate() throws {
        try Limits.check("--lane", lane, 0...3)
        try Limits.check("--level", level, -90...0, "dBFS")
    }
}
