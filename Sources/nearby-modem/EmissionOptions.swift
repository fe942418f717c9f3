import ArgumentParser

/// How a frame goes on the air.
struct EmissionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("0 to 3; transmitters that overlap are best on different lanes.", valueName: "n"))
    var lane = 0

    @Option(parsing: .unconditional, help: ArgumentHelp("Peak level, -90 to 0.", valueName: "dbfs"))
    var level = -6.0

    func validate() throws {
        guard (0...3).contains(lane) else { throw ValidationError("--lane is 0 to 3") }
        guard (-90...0).contains(level) else { throw ValidationError("--level is -90 to 0 dBFS") }
    }
}
