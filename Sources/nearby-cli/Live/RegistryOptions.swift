import ArgumentParser

/// The options for the server or its substitute.
struct RegistryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server. (default: http://127.0.0.1:8480)", valueName: "URL"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "The project's API key. Whoever is on this machine can read it here (ps): --key-file is better.",
            valueName: "key"))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "A file with that key alone in it; -: standard input. (default: the key in $NEARBY_KEY)",
            valueName: "file"))
    var keyFile: String?

    @Option(help: ArgumentHelp("Trust these certificates instead of the system's, PEM.", valueName: "file"))
    var trust: String?

    @Option(
        help: ArgumentHelp(
            "No server: a key that all devices of the project have ('nearby offline create').",
            valueName: "file"))
    var offline: String?
}
