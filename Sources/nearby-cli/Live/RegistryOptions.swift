import ArgumentParser

/// The options for the server or its substitute.
struct RegistryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("URL of the server. (default: http://127.0.0.1:8480)", valueName: "URL"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "API key of the project. Other users of this machine can read it here (ps): prefer --key-file.",
            valueName: "key"))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "Read the API key from this file; - for standard input. (default: the key in $NEARBY_KEY)",
            valueName: "file"))
    var keyFile: String?

    @Option(
        help: ArgumentHelp("PEM file with certificates to trust instead of the system's.", valueName: "file"))
    var trust: String?

    @Option(
        help: ArgumentHelp(
            "Use no server, but this key file, which all devices of the project share ('nearby offline create').",
            valueName: "file"))
    var offline: String?
}
