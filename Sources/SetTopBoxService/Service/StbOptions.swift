import ArgumentParser
import CommandOutput
import Glibc

/// The options of `nearby stb` and `nearby-stb`.
package struct StbOptions: ParsableArguments {
    package static let abstract =
        "Run a set-top box: found by sound, and messages of apps that hear it arrive."
    package static let discussion = """
        As a service it says when it is ready, reloads at SIGHUP, and ends at SIGTERM; what it is told is in one file.

          nearby stb --print-config > stb.toml
          nearby stb --check stb.toml
          nearby stb --config stb.toml
        """

    @Option(help: ArgumentHelp("The configuration.", valueName: "file"))
    package var config = "/etc/nearby/stb.toml"

    @Option(help: ArgumentHelp("Say what is wrong with this configuration, and end.", valueName: "file"))
    package var check: String?

    @Flag(help: "Print a configuration with all keys, explained, and end.")
    package var printConfig = false

    package init() {}

    package func validate() throws {
        guard check == nil || !printConfig else { throw ValidationError("--check or --print-config") }
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
                return StandardError.write("\(check): nothing is wrong with it")
            }
            StandardError.write(warning)
            return StandardError.write("\(check): nothing is wrong with it otherwise")
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
