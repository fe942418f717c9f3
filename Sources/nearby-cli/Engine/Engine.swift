import ArgumentParser
import CommandOutput
import Nearby

struct Engine: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run an engine for programs of any language, which speak to it over a Unix socket.",
        discussion: """
            Programs of this user connect to the socket, and write a JSON object a line: what to publish, and what to \
            find. The engine writes a JSON object a line: what was found, updated or lost. When a program closes its \
            connection, everything that it began ends.

              nearby engine --socket /run/user/1000/nearby --offline shop.key
              {"operation":"1","do":"publish","text":"in the hall","type":"place"}
              {"operation":"2","do":"subscribe","types":["place"]}
            """)

    @Option(help: ArgumentHelp("Path of the Unix socket; only this user can connect.", valueName: "path"))
    var socket: String

    @OptionGroup var options: ClientOptions

    func validate() throws { try options.settings(for: .scan).validate() }

    func run() async throws {
        let settings = options.settings(for: .scan)
        let live = try LiveEngine(settings)
        let socket = try EngineSocket(socket, live.engine, strategy: settings.strategy)
        let path = self.socket
        try await live.run {
            try await socket.run { StandardError.write("listening at \(path)") }
        }
    }
}
