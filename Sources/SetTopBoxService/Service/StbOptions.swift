import ArgumentParser
import CommandOutput
import Glibc

/// The options of `nearby stb` and `nearby-stb`.
package struct StbOptions: ParsableArguments {
    package static let abstract =
        "Run a set-top box, which apps find by sound and can send messages to."
    package static let discussion = """
        All settings are in one file. Under systemd, the program reports when it is ready. It reloads the file at \
        SIGHUP, and stops at SIGTERM.

          nearby stb --print-config > stb.toml
          nearby stb --check stb.toml
          nearby stb --config stb.toml
        """

    @Option(help: ArgumentHelp("Configuration file.", valueName: "file"))
    package var config = "/etc/nearby/stb.toml"

    @Option(
        help: ArgumentHelp("Check this configuration file, print its errors, and exit.", valueName: "file"))
    package var check: String?

    @Flag(help: "Print a configuration with all keys and their explanations, and exit.")
    package var printConfig = false

    package init() {}

    package func validate() throws {
        guard check == nil || !printConfig else {
            throw ValidationError("give either --check or --print-config, not both")
        }
    }

    /// - Parameter program: the path of a small program that does the same, because this one would use more
    ///   memory; `nil` if this is the small program.
    package func run(in program: String? = nil) async throws {
        if printConfig {
            return try StandardOutput.show(String(ServiceConfiguration().commented.dropLast()))
        }
        if let check {
            let configuration = try BoxService.read(check)
            _ = try BoxService.boxConfiguration(configuration, check)
            guard let warning = configuration.warning(of: check) else {
                return StandardError.write("\(check): no errors found")
            }
            StandardError.write(warning)
            return StandardError.write("\(check): no other errors found")
        }
        if let program, access(program, X_OK) == 0 {
            _ = CStrings.with([program, "--config", config]) { execv(program, $0) }
            // If the small program does not start, this one does the work.
        }
        try await BoxService(config).run()
    }

    /// The path of the small program, in the same folder as this program.
    package static var smallProgram: String? {
        guard let path = realpath("/proc/self/exe") else { return nil }
        let folder = path.split(separator: "/").dropLast()
        return "/\(folder.joined(separator: "/"))/nearby-stb"
    }
}
