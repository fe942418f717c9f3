import ArgumentParser

/// The options for the moments when many devices leave or come back at once.
struct StormOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Devices per second that this machine serves when all come back at once; they are told to spread "
                + "their return accordingly.", valueName: "number"))
    var returnRate = 1000.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Streams to close per second when the server shuts down.", valueName: "number"))
    var drainRate = 500.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Seconds after which a shutdown closes all remaining streams together.", valueName: "number"))
    var drainSeconds = 1.0

    func validate() throws {
        guard (1...1_000_000).contains(returnRate) else {
            throw ValidationError("--return-rate must be 1 to 1000000, not \(returnRate)")
        }
        guard (1...1_000_000).contains(drainRate) else {
            throw ValidationError("--drain-rate must be 1 to 1000000, not \(drainRate)")
        }
        guard (0...3600).contains(drainSeconds) else {
            throw ValidationError("--drain-seconds must be 0 to 3600, not \(drainSeconds)")
        }
    }
}
