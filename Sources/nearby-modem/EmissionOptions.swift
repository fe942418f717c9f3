import ArgumentParser

/// How a frame goes on the air.
struct EmissionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("0 to 3; transmitters that overlap are best on different lanes.", valueName: "n"))
    var lane = 0

    @Option(parsing: .unconditional, help: ArgumentHelp("Peak level, -90 to 0.", valueName: "dbfs"))
    var level = -6.0

    func validate() throws {
        try Limits.check("--lane", lane, 0...3)
        try Limits.check("--level", level, -90...0, "dBFS")
    }
}
