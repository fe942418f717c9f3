import ArgumentParser
import CommandOutput
import NearbyServer
import NearbyWire

struct Admin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Administer a running server over its Unix socket.",
        discussion: """
            The server needs --admin-socket. It notes who changed what in its audit log. Messages, tokens and \
            secrets of devices are never shown.

              nearby serve --admin-socket /run/nearby/admin.socket
              nearby admin --socket /run/nearby/admin.socket
              nearby admin devices --label SN-4711 --socket /run/nearby/admin.socket
            """,
        subcommands: [Status.self, Quota.self, Devices.self, Show.self, Expel.self, Drain.self],
        defaultSubcommand: Status.self)

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the server and its projects: devices, streams and quotas.")

        @OptionGroup var socket: SocketOptions

        @Flag(help: "Print one JSON object.")
        var json = false

        func run() async throws {
            let status: AdministrationStatus = try await socket.get(AdministrationPath.status)
            guard !json else { return try StandardOutput.write(Admin.line(status)) }
            let state = status.isDraining ? "draining" : "serving"
            try StandardOutput.write(
                "\(state) for \(status.uptimeSeconds) s, \(status.connections) connections")
            let rows = status.projects.map { project in
                [
                    "\(project.id)", project.name, "\(project.devices) of \(project.deviceQuota) devices",
                    "\(project.streams) streams",
                ]
            }
            for line in TextTable(rows).lines { try StandardOutput.write(line) }
        }
    }

    struct Quota: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show or set how many devices a project may have at one time.",
            discussion: """
                A new quota is in force at once. The limits on reports, bytes and registrations of the whole project \
                grow and shrink with it. Devices beyond a smaller quota stay.
                """)

        @Argument(help: "Name of the project.")
        var name: String

        @Argument(help: "Number of devices: 1 to 10000000, or 'standard'. (default: show the quota)")
        var devices: String?

        @OptionGroup var socket: SocketOptions

        @Flag(help: "Print one JSON object.")
        var json = false

        func run() async throws {
            let quota: AdministrationQuota
            if let devices {
                quota = try await socket.post(
                    AdministrationPath.quota, [("project", name), ("devices", devices)])
            } else {
                quota = try await socket.get(AdministrationPath.quota, [("project", name)])
            }
            try StandardOutput.write(
                json
                    ? Admin.line(quota)
                    : "\(quota.project): \(quota.devices) devices\(quota.isStandard ? ", the standard quota" : "")"
            )
        }
    }

    struct Drain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Drain the server, and end it.",
            discussion: """
                /healthz says 503, no stream is opened any more, and the streams that there are close one after another, \
                as with SIGTERM. Then the server ends. This command does not wait for that.
                """)

        @OptionGroup var socket: SocketOptions

        @Flag(help: "Print one JSON object.")
        var json = false

        func run() async throws {
            let status: AdministrationStatus = try await socket.post(AdministrationPath.drain, [])
            guard !json else { return try StandardOutput.write(Admin.line(status)) }
            let streams = status.projects.reduce(0) { $0 + $1.streams }
            try StandardOutput.write("draining: \(streams) streams close, then the server ends")
        }
    }

    /// Returns a value as JSON in one line. Its members are sorted.
    static func line(_ value: some Encodable) -> String {
        String(decoding: WireCoding.encode(value), as: UTF8.self)
    }
}
